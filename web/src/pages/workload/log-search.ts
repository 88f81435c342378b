// Looks for text in a whole log, however long, piece by piece and with a bound on what is found.
import { open } from '@/api/client';
import { foldLine } from '@/lib/fold';
import { Store } from '@/lib/store';
import { logPath, logQuery, type LogChoice } from '@/pages/workload/log-source';

/** Where the next line with a hit begins and ends within a text, from a position on; null: none. */
export type Finder = (text: string, from: number) => number | null;

/** "/…/" is a pattern, anything else is looked for as it is; capitals make no difference. */
export function finderOf(wanted: string): Finder | null {
  const pattern = /^\/(.+)\/$/.exec(wanted)?.[1] ?? escaped(wanted);
  try {
    const regex = new RegExp(pattern, 'gim');
    return (text, from) => {
      regex.lastIndex = from;
      return regex.exec(text)?.index ?? null;
    };
  } catch {
    return null;
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Lines of a text, which must end with a line feed, that hold what is wanted; at most `most`. */
export function matchingLines(text: string, find: Finder, most: number): string[] {
  const lines: string[] = [];
  let from = 0;
  while (lines.length < most) {
    const hit = find(text, from);
    if (hit === null) break;
    const start = text.lastIndexOf('\n', hit - 1) + 1;
    const end = text.indexOf('\n', hit);
    const stop = end < 0 ? text.length : end;
    lines.push(foldLine(text.slice(start, stop)));
    from = stop + 1;
    if (from >= text.length) break;
  }
  return lines;
}

export interface SearchState {
  lines: string[];
  /** Bytes looked through. */
  read: number;
  /** Bytes that the server did not keep, between the beginning and the newest part. */
  lost: number;
  status: 'searching' | 'done' | 'full' | 'failed';
  error: unknown;
}

const PIECE = 4 * 1024 * 1024;
export const MOST_FOUND = 20_000;

export class WholeSearch {
  readonly state = new Store<SearchState>({ lines: [], read: 0, lost: 0, status: 'searching', error: null });
  private abort = new AbortController();

  constructor(
    private readonly choice: LogChoice,
    private readonly find: Finder,
  ) {}

  start(): void {
    void this.run().catch((error: unknown) => {
      if (!this.abort.signal.aborted) this.patch({ status: 'failed', error });
    });
  }

  stop(): void {
    this.abort.abort();
  }

  private async run(): Promise<void> {
    const decoder = new TextDecoder();
    let offset = 0;
    let rest = '';
    for (;;) {
      const piece = await readPiece(this.choice, offset, this.abort.signal);
      if (piece.lost > 0) {
        rest = '';
        this.patch({ lost: this.state.get().lost + piece.lost });
      }
      const text = rest + decoder.decode(piece.bytes, { stream: !piece.last });
      const cut = piece.last ? text.length : text.lastIndexOf('\n') + 1;
      rest = text.slice(cut);
      const { lines } = this.state.get();
      const found = matchingLines(text.slice(0, cut), this.find, MOST_FOUND - lines.length);
      const read = this.state.get().read + piece.bytes.length;
      const all = found.length > 0 ? lines.concat(found) : lines;
      if (all.length >= MOST_FOUND) return this.patch({ lines: all, read, status: 'full' });
      this.patch({ lines: all, read });
      if (piece.last) return this.patch({ status: 'done' });
      offset = piece.next;
    }
  }

  private patch(part: Partial<SearchState>): void {
    this.state.set({ ...this.state.get(), ...part });
  }
}

interface Piece {
  bytes: Uint8Array<ArrayBuffer>;
  next: number;
  /** Bytes before these that the server did not keep. */
  lost: number;
  /** Nothing more is written at this moment. */
  last: boolean;
}

export async function readPiece(choice: LogChoice, offset: number, signal?: AbortSignal, limit = PIECE): Promise<Piece> {
  const response = await open('GET', logPath(choice), { query: { ...logQuery(choice), offset, limit }, signal });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const next = Number(response.headers.get('Gpuyard-Log-Next') ?? offset + bytes.length);
  const begin = Number(response.headers.get('Gpuyard-Log-Offset') ?? offset);
  return { bytes, next, lost: Math.max(0, begin - offset), last: next <= offset || bytes.length === 0 };
}

const SAVED_PIECE = 16 * 1024 * 1024;

/** The whole log as the server has it now, as one file. */
export async function downloadLog(choice: LogChoice): Promise<Blob> {
  const parts: Blob[] = [];
  for (let offset = 0; ; ) {
    const piece = await readPiece(choice, offset, undefined, SAVED_PIECE);
    if (piece.last) return new Blob(parts, { type: 'text/plain' });
    if (piece.lost > 0) parts.push(new Blob([`\n[${piece.lost} bytes of this log were not kept]\n`]));
    // The browser may keep these on disk.
    parts.push(new Blob([piece.bytes]));
    offset = piece.next;
  }
}
