// Reads one task's log: the end first, then whatever is written, with a bound on what is kept.
import { open } from '@/api/client';
import { decodeText } from '@/lib/browser';
import { LineFolder } from '@/lib/fold';
import { Store } from '@/lib/store';

export const MAX_LINES = 200_000;

export interface LogState {
  lines: string[];
  /** The line being written now. */
  open: string;
  /** Lines that were dropped from the start to bound memory. */
  dropped: number;
  /** Bytes before the first one read. */
  skipped: number;
  status: 'loading' | 'following' | 'ended' | 'failed';
  error: unknown;
}

const START: LogState = { lines: [], open: '', dropped: 0, skipped: 0, status: 'loading', error: null };
const TAIL_LINES = 5_000;

export interface LogChoice {
  workload: string;
  attempt: number | null;
  rank: number;
}

export const logPath = (choice: LogChoice) => `/api/v1/workloads/${choice.workload}/logs`;
export const logQuery = (choice: LogChoice) => ({ attempt: choice.attempt ?? undefined, rank: choice.rank });

export class LogSource {
  readonly state = new Store<LogState>(START);
  private abort = new AbortController();
  private folder = new LineFolder();
  private waiting: string[] = [];
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
    this.patch({ status: 'following', skipped: Number(response.headers.get('Gpuyard-Log-Offset') ?? 0) || 0 });
    const reader = response.body ? decodeText(response.body).getReader() : null;
    while (reader) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const line of this.folder.push(value)) this.waiting.push(line);
      this.frame ??= setTimeout(() => this.flush(), 80);
    }
    this.flush();
    this.patch({ status: 'ended' });
  }

  private flush(): void {
    this.frame = null;
    const now = this.state.get();
    let lines = now.lines.concat(this.waiting);
    let dropped = now.dropped;
    if (lines.length > MAX_LINES) {
      dropped += lines.length - MAX_LINES;
      lines = lines.slice(-MAX_LINES);
    }
    this.waiting = [];
    this.patch({ lines, dropped, open: this.folder.open });
  }

  private patch(part: Partial<LogState>): void {
    this.state.set({ ...this.state.get(), ...part });
  }
}
