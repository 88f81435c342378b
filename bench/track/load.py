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


LOST = (asyncio.IncompleteReadError, ConnectionError)
LONGEST = 45  # seconds for one figure
TRIES = 5  # of one request: a server under load may close a connection, and clients send again


class Connection:
    def __init__(self, port):
        self.port = port
        self.reader = self.writer = None

    async def ask(self, one):
        for left in reversed(range(TRIES)):
            try:
                if self.writer is None:
                    self.reader, self.writer = await asyncio.open_connection(
                        "127.0.0.1", self.port, limit=1 << 24)
                self.writer.write(one)
                await self.writer.drain()
                return await answer(self.reader)
            except LOST:
                self.writer = None
                if left == 0:
                    raise
                await asyncio.sleep(0.5)
        raise AssertionError


async def client(port, requests, times, deadline=None):
    """Sends one request after the other, none after the deadline: the answers."""
    connection = Connection(port)
    answers = []
    for one in requests:
        began = time.perf_counter()
        if deadline and began > deadline:
            break
        status, body = await connection.ask(one)
        times.append(time.perf_counter() - began)
        assert status == 200, (status, body[:300])
        answers.append(body)
    if connection.writer:
        connection.writer.close()
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


def drive_for(seconds, port, requests_of_clients):
    """The same for a time, and on until one answer in sixteen clients is there. What is answered
    later is given up and does not count: the seconds that passed, the seconds of each answered
    request, and how many were given up."""
    times = []
    began = time.perf_counter()

    async def everybody():
        senders = {asyncio.create_task(client(port, requests, times, began + seconds))
                   for requests in requests_of_clients}
        late, done = senders, set()
        while late:
            ended, late = await asyncio.wait(late, timeout=0.2)
            done |= ended
            passed = time.perf_counter() - began
            enough = len(times) > len(requests_of_clients) // 16
            if passed > seconds * 1.2 and (enough or passed > LONGEST):
                break
        passed = time.perf_counter() - began
        answered = list(times)
        for one in late:
            one.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        for one in done:
            one.result()
        return passed, sorted(answered), len(late)

    return asyncio.run(everybody())


def percentile(times, part):
    return times[min(len(times) - 1, int(len(times) * part))]
