// Reads one task's log: the end first, then whatever is written, with a bound on what is kept.
import { open } from '@/api/client';
import { foldColoured, LineFolder } from '@/lib/fold';
import { Store } from '@/lib/store';

export const MAX_LINES = 200_000;

export interface LogState {
  lines: string[];
  /** When each of these lines came, in milliseconds; 0 for those that were there before. */
  came: number[];
  /** The line being written now. */
  open: string;
  /** Lines that were dropped from the start to bound memory. */
  dropped: number;
  /** Bytes before the first one read. */
  skipped: number;
  /** Lines in these bytes; null until they are counted, and where they are too many to count. */
  before: number | null;
  status: 'loading' | 'following' | 'ended' | 'failed';
  error: unknown;
}

const START: LogState = { lines: [], came: [], open: '', dropped: 0, skipped: 0, before: 0, status: 'loading', error: null };
const TAIL_LINES = 5_000;
const MOST_COUNTED = 32 * 1024 * 1024;
const PIECE = 4 * 1024 * 1024;
const NEW_LINE = 10;

export interface LogChoice {
  workload: string;
  attempt: number | null;
  rank: number;
}

export const logPath = (choice: LogChoice) => `/api/v1/workloads/${choice.workload}/logs`;
export const logQuery = (choice: LogChoice) => ({ attempt: choice.attempt ?? undefined, rank: choice.rank });

/** Something that a log view reads. */
export interface LogFeed {
  readonly state: Store<LogState>;
  start(): void;
  stop(): void;
}

const FULL_PIECE = 4 * 1024 * 1024;
const QUIET = 1000;

/** Tells bytes that are written while the log is open from those that were there before. */
export class Arrivals {
  private live = false;
  private offset: number;

  /** `first` and `next` bound the piece that the answer begins with; a full one may have old bytes behind it. */
  constructor(
    first: number,
    private readonly next: number,
    private last: number,
  ) {
    this.offset = first;
    this.full = next - first >= FULL_PIECE;
  }
  private readonly full: boolean;

  /** When these bytes were written, as far as it is known here; 0: before. */
  stamp(bytes: number, now: number): number {
    // After a full piece, what comes is old until the server has nothing more to send for a while.
    if (this.offset >= this.next && (!this.full || now - this.last >= QUIET)) this.live = true;
    this.offset += bytes;
    this.last = now;
    return this.live ? now : 0;
  }
}

export class LogSource implements LogFeed {
  readonly state = new Store<LogState>(START);
  private abort = new AbortController();
  private folder = new LineFolder(foldColoured);
  private waiting: string[] = [];
  private waitingCame: number[] = [];
  private frame: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly choice: LogChoice) {}

  start(): void {
    void this.read().catch((error: unknown) => {
      if (!this.abort.signal.aborted) this.patch({ status: 'failed', error });
    });
  }

  stop(): void {
    this.abort.abort();
    if (this.frame !== null) clearTimeout(this.frame);
  }

  private async read(): Promise<void> {
    const response = await open('GET', logPath(this.choice), {
      query: { ...logQuery(this.choice), tail: TAIL_LINES, follow: true },
      signal: this.abort.signal,
    });
    const skipped = Number(response.headers.get('Gpuyard-Log-Offset') ?? 0) || 0;
    this.patch({ status: 'following', skipped, before: skipped > 0 ? null : 0 });
    if (skipped > 0 && skipped <= MOST_COUNTED) void this.count(skipped).catch(() => undefined);
    const arrivals = new Arrivals(skipped, Number(response.headers.get('Gpuyard-Log-Next') ?? 0) || 0, Date.now());
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    while (reader) {
      const { done, value } = await reader.read();
      if (done) break;
      const at = arrivals.stamp(value.length, Date.now());
      for (const line of this.folder.push(decoder.decode(value, { stream: true }))) {
        this.waiting.push(line);
        this.waitingCame.push(at);
      }
      this.frame ??= setTimeout(() => this.flush(), 80);
    }
    this.flush();
    this.patch({ status: 'ended' });
  }

  /** Numbers of lines are those of the whole log, so the lines before the first one read are counted. */
  private async count(skipped: number): Promise<void> {
    let before = 0;
    for (let offset = 0; offset < skipped; ) {
      const limit = Math.min(PIECE, skipped - offset);
      const response = await open('GET', logPath(this.choice), { query: { ...logQuery(this.choice), offset, limit }, signal: this.abort.signal });
      const bytes = new Uint8Array(await response.arrayBuffer());
      // A part that the server did not keep has lines that nobody can count.
      if (bytes.length === 0 || Number(response.headers.get('Gpuyard-Log-Offset') ?? offset) !== offset) return;
      for (const byte of bytes) if (byte === NEW_LINE) before++;
      offset += bytes.length;
    }
    this.patch({ before });
  }

  private flush(): void {
    this.frame = null;
    const now = this.state.get();
    let lines = now.lines.concat(this.waiting);
    let came = now.came.concat(this.waitingCame);
    let dropped = now.dropped;
    if (lines.length > MAX_LINES) {
      dropped += lines.length - MAX_LINES;
      lines = lines.slice(-MAX_LINES);
      came = came.slice(-MAX_LINES);
    }
    this.waiting = [];
    this.waitingCame = [];
    this.patch({ lines, came, dropped, open: this.folder.open });
  }

  private patch(part: Partial<LogState>): void {
    this.state.set({ ...this.state.get(), ...part });
  }
}

/** All ranks of one attempt together: lines in the order in which they arrive, each with its rank. */
export class AllRanks implements LogFeed {
  readonly state = new Store<LogState>(START);
  private readonly sources: LogSource[];
  private readonly taken: number[];
  private readonly ends: (() => void)[] = [];
  private lines: string[] = [];
  private came: number[] = [];
  private dropped = 0;

  constructor(choice: LogChoice, ranks: number) {
    this.sources = Array.from({ length: ranks }, (_, rank) => new LogSource({ ...choice, rank }));
    this.taken = this.sources.map(() => 0);
  }

  start(): void {
    for (const [rank, source] of this.sources.entries()) {
      this.ends.push(source.state.subscribe(() => this.take(rank)));
      source.start();
    }
  }

  stop(): void {
    for (const end of this.ends.splice(0)) end();
    for (const source of this.sources) source.stop();
  }

  private take(rank: number): void {
    const now = this.sources[rank]?.state.get();
    if (!now) return;
    const all = now.lines.length + now.dropped;
    const fresh = all > (this.taken[rank] ?? 0) ? now.lines.slice((this.taken[rank] ?? 0) - all) : [];
    this.taken[rank] = all;
    if (fresh.length > 0) {
      this.lines = this.lines.concat(fresh.map((line) => `[rank ${rank}] ${line}`));
      this.came = this.came.concat(now.came.slice(-fresh.length));
    }
    if (this.lines.length > MAX_LINES) {
      this.dropped += this.lines.length - MAX_LINES;
      this.lines = this.lines.slice(-MAX_LINES);
      this.came = this.came.slice(-MAX_LINES);
    }
    const states = this.sources.map((source) => source.state.get());
    const failed = states.find((state) => state.status === 'failed');
    const status = failed ? 'failed' : states.every((state) => state.status === 'ended') ? 'ended' : states.some((state) => state.status !== 'loading') ? 'following' : 'loading';
    // Their numbers are no line's number in any file.
    this.state.set({ lines: this.lines, came: this.came, open: '', dropped: this.dropped, skipped: 0, before: null, status, error: failed?.error ?? null });
  }
}
