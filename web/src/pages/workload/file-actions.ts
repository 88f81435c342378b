// Files of work: listing, fetching, sending, and changing them while it runs.
import { open, type Schemas } from '@/api/client';
import { CHANNEL, control, ending, frame, openSocket, run } from '@/api/exec';
import { refreshIfOver } from '@/api/session';
import { saveFile } from '@/lib/browser';
import { beginningOf, firstFile, padding, tarEnd, tarHeader } from '@/lib/tar';
import type { Previewed } from '@/pages/workload/file-preview';

/** Whose files: those of one task of an attempt, the newest unless said. */
export interface Place {
  workload: string;
  rank: number;
  attempt?: number;
}

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
  return { path, entries: ordered(entries) };
}

const ordered = (entries: Entry[]) => entries.sort((a, b) => Number(b.folder) - Number(a.folder) || a.name.localeCompare(b.name));

/** The entries that lie in the listed folder itself: the server also names the folder, and what lies deeper. */
export function childrenOf(files: Schemas['OutputFile'][], folder: string): Entry[] {
  const above = folder === '' ? '' : `${folder.split('/').at(-1)}/`;
  const entries = files.flatMap((file): Entry[] => {
    const path = file.path.startsWith(above) ? file.path.slice(above.length) : '';
    const name = path.replace(/\/$/, '');
    if (!name || name.includes('/') || (file.type !== 'file' && file.type !== 'folder')) return [];
    return [{ name, folder: file.type === 'folder', size: file.bytes, modified: Date.parse(file.modifiedAt) }];
  });
  return ordered(entries);
}

/** Runs a command in the task; what it complains about is thrown. */
async function inTask({ workload, rank }: Place, command: string[], what: string): Promise<string> {
  const done = await run(workload, rank, command);
  if (done.code !== 0) throw new Error(done.errors.trim() || `${what} (code ${done.code}).`);
  return done.output;
}

export const list = async (place: Place, path: string): Promise<Listing> => parseListing(await inTask(place, ['sh', '-c', LIST, 'sh', path], 'The folder cannot be read'));

const RENAME = 'if [ -e "$2" ] || [ -L "$2" ]; then echo "$2 exists already" >&2; exit 1; fi; exec mv -- "$1" "$2"';

/** Never over something that is there. */
export const rename = (place: Place, from: string, to: string) => inTask(place, ['sh', '-c', RENAME, 'sh', from, to], 'It cannot be renamed');
export const remove = (place: Place, path: string) => inTask(place, ['rm', '-r', '-f', '--', path], 'It cannot be deleted');

export const inside = (folder: string, name: string) => (folder === '' ? name : `${folder === '/' ? '' : folder}/${name}`);

const archiveOf = ({ workload, rank, attempt }: Place, path: string) => open('GET', `/api/v1/workloads/${workload}/files`, { query: { path, rank, attempt } });

/** A file as a preview takes it. */
export function previewOf(place: Place, path: string, entry: Entry, save: () => void): Previewed {
  const beginning = async (most: number) => {
    const { body } = await archiveOf(place, path);
    const found = body && (await beginningOf(body, most));
    if (!found) throw new Error(`${entry.name} is not a plain file.`);
    return found;
  };
  return { name: entry.name, size: entry.size, beginning, save };
}

export async function fetchEntry(place: Place, path: string, entry: Entry): Promise<void> {
  const archive = await (await archiveOf(place, path)).blob();
  if (entry.folder) return saveFile(`${entry.name}.tar`, archive, 'application/x-tar');
  const file = await firstFile(archive);
  if (!file) throw new Error(`${entry.name} is not a plain file.`);
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

export async function sendFiles({ workload, rank }: Place, path: string, files: File[]): Promise<void> {
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
