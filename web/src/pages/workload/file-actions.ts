// Listing, fetching and sending files of running work.
import { open } from '@/api/client';
import { CHANNEL, control, ending, frame, openSocket, run } from '@/api/exec';
import { refreshIfOver } from '@/api/session';
import { saveFile } from '@/lib/browser';
import { firstFile, padding, tarEnd, tarHeader } from '@/lib/tar';

export interface Entry {
  name: string;
  folder: boolean;
  size: number;
  modified: number;
}

export interface Listing {
  path: string;
  entries: Entry[];
}

// One line for the folder, then one for each entry: kind, size, time, name.
const LIST = 'cd -- "$1" && pwd && { stat -L -c "%F|%s|%Y|%n" -- * .[!.]* 2>/dev/null; true; }';

export function parseListing(text: string): Listing {
  const [path = '/', ...lines] = text.split('\n');
  const entries = lines.flatMap((line): Entry[] => {
    const match = /^([^|]*)\|(\d+)\|(\d+)\|(.+)$/.exec(line);
    return match ? [{ folder: match[1] === 'directory', size: Number(match[2]), modified: Number(match[3]) * 1000, name: match[4] ?? '' }] : [];
  });
  entries.sort((a, b) => Number(b.folder) - Number(a.folder) || a.name.localeCompare(b.name));
  return { path, entries };
}

export async function list(workload: string, rank: number, path: string): Promise<Listing> {
  const done = await run(workload, rank, ['sh', '-c', LIST, 'sh', path]);
  if (done.code !== 0) throw new Error(done.errors.trim() || `The folder cannot be read (code ${done.code}).`);
  return parseListing(done.output);
}

export const inside = (folder: string, name: string) => `${folder === '/' ? '' : folder}/${name}`;

export async function fetchEntry(workload: string, rank: number, path: string, entry: Entry): Promise<void> {
  const response = await open('GET', `/api/v1/workloads/${workload}/files`, { query: { path, rank } });
  const archive = await response.blob();
  if (entry.folder) return saveFile(`${entry.name}.tar`, archive, 'application/x-tar');
  const file = await firstFile(archive);
  if (!file) throw new Error(`${entry.name} is no plain file.`);
  saveFile(entry.name, file, 'application/octet-stream');
}

const PIECE = 256 * 1024;
const MOST_WAITING = 4 * 1024 * 1024;

async function sendBytes(socket: WebSocket, bytes: Uint8Array): Promise<void> {
  while (socket.bufferedAmount > MOST_WAITING) await new Promise((resolve) => setTimeout(resolve, 20));
  if (socket.readyState === WebSocket.OPEN && bytes.length > 0) socket.send(frame(CHANNEL.input, bytes));
}

async function sendFile(socket: WebSocket, file: File): Promise<void> {
  const header = tarHeader(file.name, file.size, file.lastModified);
  if (!header) throw new Error(`The name of ${file.name} is too long to be sent from here.`);
  await sendBytes(socket, header);
  for (let at = 0; at < file.size; at += PIECE) await sendBytes(socket, new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer()));
  await sendBytes(socket, padding(file.size));
}

export async function sendFiles(workload: string, rank: number, path: string, files: File[]): Promise<void> {
  await refreshIfOver();
  const socket = openSocket(`/api/v1/workloads/${workload}/files/upload`, { path, rank });
  const end = ending(socket);
  await Promise.race([new Promise<void>((resolve) => (socket.onopen = () => resolve())), end]);
  try {
    for (const file of files) await sendFile(socket, file);
    await sendBytes(socket, tarEnd());
    socket.send(control({ closeInput: true }));
  } catch (error) {
    socket.close();
    end.catch(() => undefined);
    throw error;
  }
  const done = await end;
  if (done.code !== 0) throw new Error(done.errors.trim() || `The files were not taken (code ${done.code}).`);
}
