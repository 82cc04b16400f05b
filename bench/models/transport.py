"""One HTTP exchange with everything bounded: connections, wall time, bytes on the wire and bytes unpacked.

httpx over aiohttp's connection pool (httpx-aiohttp): httpx's own pool searches all connections for every event;
450 requests of 200 ms, 64 at a time, took 10.7 s with it and take 2.0 s with this one. What a client does around
its transport has no use here: no cookie is sent back, no redirect followed.
"""

from __future__ import annotations

import asyncio
import ssl
import zlib
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from bench.errors import UserError
from bench.models.request_errors import RequestError, RequestFailed, one_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from bench.models.limits import ClientLimits

__all__ = ["Exchange", "Transport"]

CONNECT_S = 10.0
CONNECT_SHARE = 0.9  # of a shorter bound on the whole, so that it is known which of the two was met
KEEPALIVE_S = 4.0  # many servers close a connection after 5 s without a request
HEADER_LIMIT_BYTES = 100 * 1024  # of one line of an answer's head
MOST_HEADERS = 1000
WARNED_OF_BYTES = 1024 * 1024  # of a larger body, handed over as bytes, aiohttp warns
MOST_PORT = 65535
TURNS_TO_SEE_A_CLOSED_CONNECTION = 2
"""The loop looks at its sockets in one turn and tells the pool in the next; aiohttp does not look before use."""
UNUSABLE_PROXY = (
    "the environment's proxies cannot be used: expected in HTTP_PROXY, HTTPS_PROXY and ALL_PROXY an address that "
    "begins with http:// or https:// (or socks5://, with the package socksio)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What a server sent back: status, headers (lower case) and the unpacked body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """A pool of connections to the server at `url`, through the environment's proxy where it names one."""

    def __init__(self, limits: ClientLimits, *, url: str) -> None:
        self._limits = limits
        self._given_url = url
        self._connect_s = min(CONNECT_S, CONNECT_SHARE * limits.request_timeout_s)
        # aiohttp's bound "pool" holds for all that comes before the request: name lookup and a proxy's consent.
        self._timeouts = httpx.Timeout(None, connect=self._connect_s, pool=self._connect_s).as_dict()
        self._pool: httpx.AsyncBaseTransport | None = None
        self._url: httpx.URL | None = None
        self._proxy: httpx.Proxy | None = None

    async def post(self, headers: Mapping[str, str], body: bytes, *, timeout_s: float) -> Exchange:
        """Send one request and read the whole answer within `timeout_s` seconds of wall time.

        Raises:
            RequestFailed: network, timeout or protocol; an answer with an error status is none of these.
            UserError: the proxy that the environment names cannot be used.
        """
        try:
            async with asyncio.timeout(timeout_s):
                return await self._exchange(headers, body)
        except (httpx.InvalidURL, UnicodeError) as error:  # a UnicodeError: no host can have this name
            raise RequestFailed(_unusable_address(error)) from error
        except (httpx.HTTPError, aiohttp.ClientError, ssl.SSLError, OSError) as error:  # a TimeoutError is one
            raise RequestFailed(self._error(error, timeout_s)) from error

    async def close(self) -> None:
        """Close all connections."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.aclose()

    async def _exchange(self, headers: Mapping[str, str], body: bytes) -> Exchange:
        if self._pool is None:
            self._pool = self._open()
        for _ in range(TURNS_TO_SEE_A_CLOSED_CONNECTION):
            await asyncio.sleep(0)
        response = await self._pool.handle_async_request(self._request(headers, body))
        try:
            unpacked = await _read(response, self._limits.reply_limit_bytes)
            return Exchange(status=response.status_code, headers=dict(response.headers), body=unpacked)
        finally:
            await response.aclose()

    def _request(self, headers: Mapping[str, str], body: bytes) -> httpx.Request:
        url, extensions = self._url or self._given_url, {"timeout": self._timeouts}
        request = httpx.Request("POST", url, headers=headers, content=body, extensions=extensions)
        if len(body) <= WARNED_OF_BYTES:
            return request
        return httpx.Request("POST", url, headers=request.headers, stream=_LargeBody(body), extensions=extensions)

    def _open(self) -> httpx.AsyncBaseTransport:
        """Open the pool.

        Raises:
            UserError: the environment's proxy cannot be used; the message leaves out its password.
        """
        self._url = httpx.URL(self._given_url)
        try:
            self._proxy = _proxy_for(self._url)
            # Loading the certificates takes 20 ms and 6 MB: only where they are used.
            secure = "https" in {self._url.scheme, "" if self._proxy is None else self._proxy.url.scheme}
            context = httpx.create_ssl_context() if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            if self._proxy is not None and self._proxy.url.scheme.startswith("socks"):
                # httpcore may forget a connection that is cancelled while it is made: a bound would be used up.
                limits = httpx.Limits(max_connections=None, max_keepalive_connections=self._limits.concurrency)
                return httpx.AsyncHTTPTransport(verify=context, proxy=self._proxy, limits=limits)
        except (ValueError, ImportError, httpx.InvalidURL):
            raise UserError(UNUSABLE_PROXY) from None

        def session() -> aiohttp.ClientSession:
            connector = aiohttp.TCPConnector(
                limit=self._limits.concurrency, keepalive_timeout=KEEPALIVE_S, ssl=context
            )
            return aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                max_line_size=HEADER_LIMIT_BYTES,
                max_field_size=HEADER_LIMIT_BYTES,
                max_headers=MOST_HEADERS,
            )

        return AiohttpTransport(verify=context, proxy=self._proxy, client=session)

    def _error(self, error: Exception, timeout_s: float) -> RequestError:
        """Say what went wrong, and whether the server can have seen the request."""
        cause = error.__cause__ if isinstance(error.__cause__, aiohttp.ClientError) else error
        if isinstance(cause, aiohttp.ConnectionTimeoutError | httpx.ConnectTimeout):
            message = f"no connection to the server within {self._connect_s:.4g} s"
            return RequestError(kind="timeout", message=message, retryable=True, reached=False)
        if isinstance(cause, TimeoutError | httpx.TimeoutException):
            message = f"no complete answer within {timeout_s:.4g} s; a slow model needs a higher --request-timeout"
            return RequestError(kind="timeout", message=message, retryable=True)
        if isinstance(cause, aiohttp.ClientHttpProxyError | httpx.ProxyError):
            return _proxy_error(cause)
        if isinstance(cause, aiohttp.InvalidURL | httpx.UnsupportedProtocol):
            return _unusable_address(cause)
        if isinstance(cause, aiohttp.ClientResponseError):
            message = one_line(f"unreadable reply: what came is no HTTP, or has another length: {cause.message}")
            return RequestError(kind="protocol", message=message)
        return self._network_error(cause)

    def _network_error(self, cause: Exception) -> RequestError:
        text = str(cause) or type(cause).__name__
        if isinstance(cause, aiohttp.ServerDisconnectedError):
            text = "Server disconnected without sending a response."
        through = "" if self._proxy is None else " through the environment's proxy"
        host = httpx.URL(self._given_url).netloc.decode()
        message = one_line(f"no connection to {host}{through}, or it was lost: {text}")
        reached = not isinstance(cause, aiohttp.ClientConnectorError | httpx.ConnectError)
        certain = isinstance(cause, aiohttp.ClientConnectorCertificateError) or "CERTIFICATE_VERIFY_FAILED" in text
        return RequestError(kind="network", message=message, retryable=not certain, reached=reached)


class _LargeBody(httpx.AsyncByteStream):
    """A body in one piece: after several, the answer of a server that does not read to the end would be lost."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._body


def _proxy_for(url: httpx.URL) -> httpx.Proxy | None:
    """Return the proxy that the environment names for this address.

    Raises:
        ValueError: it has no host or no usable port, or its kind is unknown.
        httpx.InvalidURL: it is no address.
    """
    named = getproxies()
    proxies = {
        scheme: address for scheme, address in named.items() if scheme in {"http", "https", "all"} and address
    }
    for text in proxies.values():
        named_proxy = httpx.URL(text if "://" in text else f"http://{text}")
        if not named_proxy.host or not 0 < (named_proxy.port or 1) <= MOST_PORT:
            raise ValueError("no proxy's address")
    address = proxies.get(url.scheme, proxies.get("all"))
    if address is None or proxy_bypass(url.netloc.decode()) or _is_exempt(url.host, named.get("no", "")):
        return None
    proxy = httpx.Proxy(address if "://" in address else f"http://{address}")
    if proxy.auth is None or proxy.url.scheme.startswith("socks"):
        return proxy
    login = b64encode(":".join(proxy.auth).encode()).decode()  # aiohttp makes Proxy-Authorization of it
    return httpx.Proxy(proxy.url, headers={"Authorization": f"Basic {login}"})


def _is_exempt(host: str, exemptions: str) -> bool:
    """Whether NO_PROXY has a star, or the address `host` alone or in a range: what urllib does not look for."""
    exempt = [text.strip() for text in exemptions.split(",")]
    with suppress(ValueError):
        address = ip_address(host)
        return "*" in exempt or any(address in network for network in map(_network, exempt) if network is not None)
    return "*" in exempt  # it is a name


def _network(text: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None


async def _read(response: httpx.Response, limit: int) -> bytes:
    unpack = _unpacker(response.headers.get("content-encoding", "identity").strip().lower())
    collected = bytearray()
    async for chunk in response.aiter_raw():
        collected += _unpacked(chunk, unpack, limit + 1 - len(collected)) if unpack else chunk
        if len(collected) > limit:
            raise _protocol(f"the reply is larger than {limit} bytes (unpacked), which no answer needs")
    if unpack and not unpack.eof:
        raise RequestFailed(
            RequestError(kind="network", message="the compressed reply ended too early", retryable=True)
        )
    return bytes(collected)


def _unpacked(chunk: bytes, unpack: zlib._Decompress, room: int) -> bytes:
    try:
        return unpack.decompress(chunk, room)
    except zlib.error as error:
        raise _protocol("the reply is marked as compressed and is not") from error


def _unpacker(encoding: str) -> zlib._Decompress | None:
    if encoding in {"", "identity"}:
        return None
    if encoding in {"gzip", "x-gzip", "deflate"}:
        return zlib.decompressobj(wbits=47)
    raise _protocol(f"the reply is compressed as {encoding[:20]!r}, which was not asked for")


def _protocol(message: str) -> RequestFailed:
    return RequestFailed(RequestError(kind="protocol", message=message))


def _proxy_error(error: Exception) -> RequestError:
    status = getattr(error, "status", "")
    message = one_line(f"the proxy that the environment names refused the connection: {status or error}")
    denied = "407" in message  # asked again with the same password, it would be refused again
    return RequestError(kind="auth" if denied else "network", message=message, retryable=not denied, reached=False)


def _unusable_address(error: Exception) -> RequestError:
    message = f"the address cannot be used: {error or type(error).__name__}; check --api-base"
    return RequestError(kind="protocol", message=one_line(message), reached=False)
