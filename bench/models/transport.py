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
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from bench.errors import UserError
from bench.models.request_errors import RequestError, RequestFailed, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.limits import ClientLimits

__all__ = ["Exchange", "Transport"]

CONNECT_S = 10.0
CONNECT_SHARE = 0.9  # of a shorter bound on the whole, so that it is known which of the two was met
KEEPALIVE_S = 5.0
MOST_PORT = 65535
UNUSABLE_PROXY = (
    "the environment's proxies cannot be used: expected in HTTP_PROXY, HTTPS_PROXY and ALL_PROXY an address that "
    "begins with http:// or https:// (or socks5://, with the package socksio), and in NO_PROXY hosts, no ranges"
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
        self._timeouts = httpx.Timeout(None, connect=self._connect_s).as_dict()
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
        except httpx.InvalidURL as error:
            raise RequestFailed(_unusable_address(error)) from error
        except (
            httpx.HTTPError,
            aiohttp.ClientError,
            ssl.SSLError,
            OSError,
        ) as error:  # TimeoutError is an OSError
            raise RequestFailed(self._error(error, timeout_s)) from error

    async def close(self) -> None:
        """Close all connections."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.aclose()

    async def _exchange(self, headers: Mapping[str, str], body: bytes) -> Exchange:
        if self._pool is None:
            self._pool = self._open()
        request = httpx.Request(
            "POST",
            self._url or self._given_url,
            headers=headers,
            content=body,
            extensions={"timeout": self._timeouts},
        )
        response = await self._pool.handle_async_request(request)
        try:
            unpacked = await _read(response, self._limits.reply_limit_bytes)
            return Exchange(status=response.status_code, headers=dict(response.headers), body=unpacked)
        finally:
            await response.aclose()

    def _open(self) -> httpx.AsyncBaseTransport:
        """Open the pool.

        Raises:
            UserError: the environment's proxy cannot be used; the message leaves out its password.
        """
        self._url = httpx.URL(self._given_url)
        # Loading the certificates takes 20 ms and 6 MB: only where they are used.
        secure = self._url.scheme == "https"
        context = httpx.create_ssl_context() if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        try:
            self._proxy = _proxy_for(self._url)
            if self._proxy is not None and self._proxy.url.scheme.startswith("socks"):
                return httpx.AsyncHTTPTransport(verify=context, proxy=self._proxy)
        except (ValueError, ImportError, httpx.InvalidURL):
            raise UserError(UNUSABLE_PROXY) from None

        def session() -> aiohttp.ClientSession:
            connector = aiohttp.TCPConnector(
                limit=self._limits.concurrency, keepalive_timeout=KEEPALIVE_S, ssl=context
            )
            return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())

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


def _proxy_for(url: httpx.URL) -> httpx.Proxy | None:
    """Return the proxy that the environment names for this address.

    Raises:
        ValueError: it has no host or no usable port, its kind is unknown, or NO_PROXY holds a range of addresses.
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
    if proxies and "/" in named.get("no", ""):
        raise ValueError("a range of addresses in NO_PROXY")
    if address is None or proxy_bypass(url.netloc.decode()):
        return None
    proxy = httpx.Proxy(address if "://" in address else f"http://{address}")
    if proxy.auth is None or proxy.url.scheme.startswith("socks"):
        return proxy
    login = b64encode(":".join(proxy.auth).encode()).decode()  # aiohttp makes Proxy-Authorization of it
    return httpx.Proxy(proxy.url, headers={"Authorization": f"Basic {login}"})


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
    return RequestError(kind="protocol", message=one_line(message))
