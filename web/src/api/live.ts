// Changes pushed by the server. One stream per page; what it names is read again, nothing is polled.
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { open } from '@/api/client';
import { session } from '@/api/session';
import { decodeText } from '@/lib/browser';
import { EventParser } from '@/lib/sse';
import { Store } from '@/lib/store';

export type Connection = 'connecting' | 'live' | 'lost';
export interface LiveState {
  connection: Connection;
  /** When the next try is made, while lost. */
  retryAt: number | null;
}
export const live = new Store<LiveState>({ connection: 'connecting', retryAt: null });

export interface Change {
  sequence: number;
  at: string;
  verb: 'create' | 'update' | 'delete';
  kind: string;
  id: string;
  name: string;
}

// What else depends on a changed object, by the first part of query keys.
const TOUCHES: Record<string, string[]> = {
  workload: ['workload', 'queue', 'why', 'gpu', 'project', 'department', 'attempts', 'telemetry', 'asset-usage', 'usage-report', 'notification-delivery'],
  attempt: ['workload', 'attempts', 'queue', 'why', 'gpu', 'telemetry', 'usage-report'],
  node: ['node', 'node-pool', 'gpu', 'telemetry', 'queue', 'why'],
  'node-pool': ['node-pool', 'node'],
  project: ['project', 'department', 'why', 'me'],
  department: ['department', 'project', 'why'],
  reservation: ['reservation', 'queue', 'why'],
  role: ['role', 'me'],
  'access-rule': ['access-rule', 'me'],
  setting: ['setting'],
};
// The server publishes why work waits about once a second.
const DERIVED_AFTER = 1500;
export const touchedBy = (kind: string): string[] => TOUCHES[kind] ?? [kind];

// What is read of one workload alone. A page with a hundred rows holds a hundred of some of these.
const OF_ONE = ['usage', 'history', 'events', 'record', 'metrics'];

/** The workload whose changes alone touch a query; null for what others touch, too. */
const ownerOf = (key: QueryKey): string | null => (key[0] === 'workload' && OF_ONE.includes(String(key[1])) ? String(key[2]) : null);

/** Whether a query is read again after changes of these kinds, among them these workloads. */
export function isTouched(key: QueryKey, kinds: string[], workloads: ReadonlySet<string>): boolean {
  const owner = ownerOf(key);
  return kinds.includes(String(key[0])) && (owner === null || workloads.has(owner));
}

const SHORTEST = 200;
const LONGEST = 800;
// Large answers, which nobody reads to the second: while changes keep coming, this far apart.
const APART: Record<string, number> = { gpu: 3000, telemetry: 3000, queue: 2000, project: 2000, department: 2000, 'asset-usage': 3000, 'usage-report': 10_000 };

/** Collects what changed and refreshes at once; while changes keep coming, less and less often. */
export class Refresher {
  private pending = new Set<string>();
  private workloads = new Set<string>();
  private refreshed = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private last = 0;
  private pause = SHORTEST;

  constructor(
    private readonly refresh: (keys: string[], workloads: ReadonlySet<string>) => void,
    private readonly clock: () => number = Date.now,
  ) {}

  add(kind: string, id = ''): void {
    if (kind === 'workload') this.workloads.add(id);
    for (const key of touchedBy(kind)) this.pending.add(key);
    this.pending.add('audit');
    if (this.timer !== null) return;
    const quiet = this.clock() - this.last;
    if (quiet > 2 * LONGEST) this.pause = SHORTEST;
    this.timer = setTimeout(() => this.flush(), Math.max(40, this.pause - quiet));
  }

  private flush(): void {
    this.timer = null;
    const now = this.clock();
    this.last = now;
    this.pause = Math.min(this.pause * 1.5, LONGEST);
    const due = (key: string) => now - (this.refreshed.get(key) ?? -Infinity) >= (APART[key] ?? 0);
    const keys = [...this.pending].filter(due);
    for (const key of keys) {
      this.pending.delete(key);
      if (APART[key]) this.refreshed.set(key, now);
    }
    if (this.pending.size > 0) this.timer = setTimeout(() => this.flush(), this.pause);
    if (keys.length > 0) this.refresh(keys, this.workloads);
    this.workloads = new Set();
  }
}

export class Live {
  private abort: AbortController | null = null;
  private last: string | null = null;
  private delay = 1000;
  // Of the run that goes on; another number, or none, ends it.
  private round: number | null = null;
  private rounds = 0;
  private wake: (() => void) | null = null;
  private readonly refresher: Refresher;
  private again: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly client: QueryClient) {
    this.refresher = new Refresher((keys, workloads) => {
      this.readAgain(keys, workloads);
      if (keys.includes('queue')) this.lookAgain();
    });
  }

  private readAgain(kinds: string[], workloads: ReadonlySet<string>): void {
    void this.client.invalidateQueries({ predicate: (query) => isTouched(query.queryKey, kinds, workloads) });
  }

  /** Why work waits is derived, a moment after the change: no event of its own tells it. */
  private lookAgain(): void {
    clearTimeout(this.again);
    this.again = setTimeout(() => this.readAgain(['workload', 'queue', 'why'], new Set()), DERIVED_AFTER);
  }

  start(): void {
    if (this.round !== null) return;
    this.round = ++this.rounds;
    void this.run(this.round);
  }

  stop(): void {
    this.round = null;
    this.last = null;
    this.abort?.abort();
    this.wake?.();
  }

  retryNow(): void {
    this.delay = 1000;
    this.wake?.();
  }

  private async run(round: number): Promise<void> {
    while (this.round === round) {
      await this.readOnce().catch(() => undefined);
      if (this.round !== round || !session.get().account) return;
      live.set({ connection: 'lost', retryAt: Date.now() + this.delay });
      await this.pause(this.delay);
      this.delay = Math.min(this.delay * 2, 30_000);
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async readOnce(): Promise<void> {
    this.abort = new AbortController();
    const response = await open('GET', '/api/v1/events/stream', {
      signal: this.abort.signal,
      headers: this.last ? { 'Last-Event-ID': this.last } : {},
    });
    const wasLost = live.get().connection === 'lost';
    live.set({ connection: 'live', retryAt: null });
    this.delay = 1000;
    if (wasLost) void this.client.invalidateQueries();
    await this.consume(response.body);
  }

  private async consume(body: ReadableStream<Uint8Array> | null): Promise<void> {
    if (!body) return;
    const reader = decodeText(body).getReader();
    const parser = new EventParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const event of parser.push(value)) {
        if (event.id) this.last = event.id;
        if (event.event !== 'change') continue;
        const { kind, id } = JSON.parse(event.data) as Change;
        this.refresher.add(kind, id);
      }
    }
  }
}
