"""One HTTP exchange with everything bounded: connections, wall time, bytes on the wire and bytes unpacked.

One httpx client slows down beyond about ten connections (its pool searches all of them for every event),
several small ones do not. 450 requests of 200 ms, 64 at a time: 7.5 to 10.7 s with one client, 2 s with eight;
a pool for each connection saves another tenth of the work. Nor has httpx to time each read and write: the whole
exchange has one bound, and its timers were a twentieth of the work. Where no proxy is named, what a client does
around its transport (redirects, cookies, authentication, proxies) is not needed, another tenth. Requests are the
same both ways: no cookie is sent back, no redirect followed.
"""

from __future__ import annotations

import asyncio
import ssl
import zlib
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING
from urllib.request import getproxies

import httpx

from bench.errors import UserError
from bench.models.request_errors import RequestError, RequestFailed, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.limits import ClientLimits

__all__ = ["Exchange", "Transport"]

CONNECT_S = 10.0
CONNECT_SHARE = 0.9  # of a shorter bound on the whole, so that it is known which of the two was met
MOST_PORT = 65535
BAD_REDIRECT = "Invalid URL in location header"
"""What a client says of one, though it follows none; a transport hands over the answer."""
PROXIED = ("http", "https", "all")
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


Line = httpx.AsyncHTTPTransport | httpx.AsyncClient
"""One connection to the server; a client where the environment's proxies may be on the way, which it knows."""


class Transport:
    """Lines to one server, as many as there were requests under way at once."""

    def __init__(self, traffic: ClientLimits, *, secure: bool) -> None:
        self._traffic = traffic
        self._secure = secure
        self._lines: set[Line] = set()
        self._idle: list[Line] = []

    async def post(self, url: str, headers: Mapping[str, str], body: bytes, *, timeout_s: float) -> Exchange:
        """Send one request and read the whole answer within `timeout_s` seconds of wall time.

        Raises:
            Trouble: Network, timeout or protocol; an answer with an error status is not trouble here.
            UserError: The proxy that the environment names cannot be used.
        """
        line = self._idle.pop() if self._idle else self._new_line()
        try:
            async with asyncio.timeout(timeout_s):
                return await self._exchange(line, url, headers, body)
        except httpx.ConnectTimeout as error:
            message = f"no connection to the server within {self._connect_s:.4g} s"
            raise RequestFailed(
                RequestError(kind="timeout", message=message, retryable=True, reached=False)
            ) from error
        except (TimeoutError, httpx.TimeoutException) as error:
            message = f"no complete answer within {timeout_s:.4g} s; a slow model needs a higher --request-timeout"
            raise RequestFailed(RequestError(kind="timeout", message=message, retryable=True)) from error
        except httpx.ProxyError as error:
            raise RequestFailed(_proxy_fault(error)) from error
        except (httpx.HTTPError, httpx.InvalidURL, ssl.SSLError, OSError) as error:
            raise RequestFailed(_network_fault(error, url, proxied=self._proxied)) from error
        finally:
            if line in self._lines:
                self._idle.append(line)

    async def close(self) -> None:
        """Close all connections."""
        lines = self._lines.copy()
        self._lines.clear()
        self._idle.clear()
        for line in lines:
            await line.aclose()

    async def _exchange(self, line: Line, url: str, headers: Mapping[str, str], body: bytes) -> Exchange:
        request = httpx.Request(
            "POST", _parsed(url), headers=headers, content=body, extensions={"timeout": self._timeouts}
        )
        if isinstance(line, httpx.AsyncClient):
            response = await line.send(request, stream=True)
        else:
            response = await line.handle_async_request(request)
        try:
            unpacked = await _read(response, self._traffic.reply_limit_bytes)
            return Exchange(status=response.status_code, headers=dict(response.headers), body=unpacked)
        finally:
            await response.aclose()

    @property
    def _connect_s(self) -> float:
        return min(CONNECT_S, CONNECT_SHARE * self._traffic.request_timeout_s)

    @cached_property
    def _timeouts(self) -> dict[str, float | None]:
        return httpx.Timeout(None, connect=self._connect_s).as_dict()

    def _new_line(self) -> Line:
        # httpcore may forget a connection that is cancelled while it is made: with a bound none would be left.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=1)
        line: Line
        try:
            # Without a proxy NO_PROXY plays no part, which may hold what httpx refuses.
            if self._proxied:
                line = httpx.AsyncClient(verify=self._context, limits=limits)
            else:
                line = httpx.AsyncHTTPTransport(verify=self._context, limits=limits)
        except (ValueError, ImportError, httpx.InvalidURL):
            raise UserError(UNUSABLE_PROXY) from None  # it may hold a password
        self._lines.add(line)
        return line

    @cached_property
    def _proxied(self) -> bool:
        """Whether the environment names proxies.

        Raises:
            ValueError: one has no host, or a port that cannot be; httpx would find out with each request.
            httpx.InvalidURL: one is no address.
        """
        addresses = [address for scheme, address in getproxies().items() if scheme in PROXIED and address]
        for address in addresses:
            url = httpx.URL(address if "://" in address else f"http://{address}")
            if not url.host or not 0 < (url.port or 1) <= MOST_PORT:
                raise ValueError("no proxy's address")
        return bool(addresses)

    @cached_property
    def _context(self) -> ssl.SSLContext:
        # Loading the certificates takes 20 ms and 6 MB: once for all clients, and only where they are used.
        return httpx.create_ssl_context() if self._secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@cache
def _parsed(url: str) -> httpx.URL:
    """Parse an address once, not for every request."""
    return httpx.URL(url)


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


def _proxy_fault(error: httpx.ProxyError) -> RequestError:
    message = one_line(f"the proxy that the environment names refused the connection: {error}")
    denied = "407" in str(error)  # asked again with the same password, it would be refused again
    return RequestError(kind="auth" if denied else "network", message=message, retryable=not denied, reached=False)


def _network_fault(error: Exception, url: str, *, proxied: bool) -> RequestError:
    text = str(error) or type(error).__name__
    if isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol):
        message = f"the address cannot be used: {text}; check --api-base"
        return RequestError(kind="protocol", message=one_line(message))
    if BAD_REDIRECT in text:
        return RequestError(kind="protocol", message="the server redirects to an address that cannot be used")
    certain = "CERTIFICATE_VERIFY_FAILED" in text
    through = " through the environment's proxy" if proxied else ""
    message = f"no connection to {_parsed(url).netloc.decode()}{through}, or it was lost: {text}"
    reached = not isinstance(error, httpx.ConnectError)
    return RequestError(kind="network", message=one_line(message), retryable=not certain, reached=reached)
