// Commands inside running work, over WebSockets; see docs/running-work.md for the messages.
import { withQuery, type Query } from '@/api/client';
import { pageProtocol, refreshIfOver } from '@/api/session';
import { here } from '@/lib/place';

export const CHANNEL = { input: 0, output: 1, error: 2, control: 3 } as const;

export function frame(channel: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes.length + 1);
  out[0] = channel;
  out.set(bytes, 1);
  return out;
}

export const control = (message: unknown) => frame(CHANNEL.control, new TextEncoder().encode(JSON.stringify(message)));

export function openSocket(path: string, query: Query): WebSocket {
  const url = new URL(here(withQuery(path, query)), location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  const socket = new WebSocket(url, ['gpuyard.v1', pageProtocol()]);
  socket.binaryType = 'arraybuffer';
  return socket;
}

export interface Ended {
  code: number;
  output: string;
  errors: string;
}

/** Collects what a command says until it ends; throws what the server says went wrong. */
export function ending(socket: WebSocket): Promise<Ended> {
  const texts = [new TextDecoder(), new TextDecoder()] as const;
  const said = { output: '', errors: '' };
  return new Promise((resolve, reject) => {
    socket.onmessage = (event: MessageEvent<ArrayBuffer>) => {
      const bytes = new Uint8Array(event.data);
      const rest = bytes.subarray(1);
      if (bytes[0] === CHANNEL.output) said.output += texts[0].decode(rest, { stream: true });
      else if (bytes[0] === CHANNEL.error) said.errors += texts[1].decode(rest, { stream: true });
      else {
        const message = JSON.parse(new TextDecoder().decode(rest)) as { exit?: number; error?: string };
        if (message.error) reject(new Error(message.error));
        else resolve({ code: message.exit ?? 0, ...said });
        socket.close();
      }
    };
    socket.onclose = () => reject(new Error('The connection was closed before it was done.'));
  });
}

export async function run(workload: string, rank: number, command: string[]): Promise<Ended> {
  await refreshIfOver();
  return ending(openSocket(`/api/v1/workloads/${workload}/exec`, { command, rank }));
}
