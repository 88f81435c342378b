"""Many clients that send prepared requests over kept connections: the sending itself costs little."""

import asyncio
import json
import time


def request(method, path, token, body=None):
    data = json.dumps(body).encode() if body is not None else b""
    sign_in = f"Authorization: Bearer {token}\r\n" if token else ""
    head = (f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{sign_in}"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n")
    return head.encode() + data


async def answer(reader):
    """Status and body of one answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in
               (line.partition(":") for line in lines[1:])}
    if headers.get("transfer-encoding") == "chunked":
        body = b""
        while size := int((await reader.readline()).strip() or b"0", 16):
            body += await reader.readexactly(size)
            await reader.readline()
        await reader.readline()
        return int(lines[0].split()[1]), body
    return int(lines[0].split()[1]), await reader.readexactly(int(headers.get("content-length", 0)))


async def client(port, requests, times):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    answers = []
    for one in requests:
        began = time.perf_counter()
        writer.write(one)
        await writer.drain()
        status, body = await answer(reader)
        times.append(time.perf_counter() - began)
        assert status == 200, (status, body[:300])
        answers.append(body)
    writer.close()
    return answers


def drive(port, requests_of_clients):
    """Sends each client's requests one after the other, all clients at once: the seconds that
    passed, the seconds of each request, and the answers."""
    times = []

    async def everybody():
        return await asyncio.gather(*(client(port, requests, times)
                                      for requests in requests_of_clients))

    began = time.perf_counter()
    answers = asyncio.run(everybody())
    return time.perf_counter() - began, sorted(times), answers


def percentile(times, part):
    return times[min(len(times) - 1, int(len(times) * part))]
