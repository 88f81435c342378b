// Where bars go: GPUs as rows, overlapping bars of a row in lanes, times as parts of the width.
import type { Schemas } from '@/api/client';

export type Held = Schemas['TimelineAttempt'];
/** Work that the person may not see: when it had which GPUs, without a name. */
export type Other = Schemas['TimelineOther'];

export interface Window {
  start: number;
  end: number;
  now: number;
}

/** Something with a span of time, in a lane of its row. */
export interface Spanned {
  /** Milliseconds; `to` is open for work without a known end. */
  from: number;
  to: number;
  open: boolean;
  lane: number;
}

export interface Bar extends Spanned {
  /** Null: in use by another project. */
  held: Held | null;
  part: number;
  /** Until when its limit lets it run, if that is known. */
  endsBy: number | null;
}

export interface Row {
  gpu: string;
  node: string;
  bars: Bar[];
  lanes: number;
}

/** Percent of the window's width, kept within it. */
export function place(at: number, window: Window): number {
  const part = ((at - window.start) / (window.end - window.start)) * 100;
  return Math.min(100, Math.max(0, part));
}

/** One bar for each stretch of time on the GPU: work may have been off it in between. */
function barsOf(held: Held | null, span: Other, part: number, now: number): Bar[] {
  const bars: Bar[] = [];
  const add = (from: number, to: number | null) => {
    const endsBy = to === null && held?.endsBy ? Date.parse(held.endsBy) : null;
    bars.push({ held, part, from, to: to ?? now, open: to === null, endsBy, lane: 0 });
  };
  let from = Date.parse(span.placedAt);
  for (const absence of span.absences) {
    add(from, Date.parse(absence.from));
    if (!absence.to) return bars;
    from = Date.parse(absence.to);
  }
  add(from, span.endedAt ? Date.parse(span.endedAt) : null);
  return bars;
}

/** Gives each bar the first lane that is free at its start; says how many lanes there are. */
export function intoLanes(bars: Spanned[]): number {
  const freeAt: number[] = [];
  for (const bar of [...bars].sort((a, b) => a.from - b.from)) {
    const found = freeAt.findIndex((at) => at <= bar.from);
    bar.lane = found < 0 ? freeAt.length : found;
    freeAt[bar.lane] = bar.open ? Infinity : bar.to;
  }
  return Math.max(1, freeAt.length);
}

/** The GPUs of a node as one row: an attempt is one bar, however many of them it had. */
export function byNode<T extends Other>(spans: T[]): T[] {
  return spans.map((span) => {
    const nodes = new Map<string, number>();
    for (const hold of span.holds) nodes.set(hold.node, (nodes.get(hold.node) ?? 0) + hold.part);
    return { ...span, holds: [...nodes].map(([node, part]) => ({ gpu: node, node, part })) };
  });
}

const natural = new Intl.Collator('en', { numeric: true });

/** One row for each known GPU and, if all are wanted, each other one that was ever held; by node. */
export function rowsOf({ attempts, others }: { attempts: Held[]; others: Other[] }, known: { uuid: string; node: string }[], now: number, wanted: 'all' | 'known' = 'all'): Row[] {
  const rows = new Map<string, Row>();
  const row = (gpu: string, node: string) => {
    const found = rows.get(gpu) ?? { gpu, node, bars: [], lanes: 1 };
    rows.set(gpu, found);
    return found;
  };
  for (const gpu of known) row(gpu.uuid, gpu.node);
  const spans: [Held | null, Other][] = [...attempts.map((held): [Held, Other] => [held, held]), ...others.map((other): [null, Other] => [null, other])];
  for (const [held, span] of spans) {
    for (const hold of span.holds) {
      if (wanted === 'all' || rows.has(hold.gpu)) row(hold.gpu, hold.node).bars.push(...barsOf(held, span, hold.part, now));
    }
  }
  for (const one of rows.values()) one.lanes = intoLanes(one.bars);
  return [...rows.values()].sort((a, b) => natural.compare(a.node, b.node) || natural.compare(a.gpu, b.gpu));
}

const STEPS = [60, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800].map((s) => s * 1000);

/** Round times within the window, about six of them. */
export function ticksOf(window: Window): number[] {
  const span = window.end - window.start;
  const step = STEPS.find((s) => span / s <= 7) ?? 604_800_000;
  const offset = new Date(window.start).getTimezoneOffset() * 60_000;
  const first = Math.ceil((window.start - offset) / step) * step + offset;
  const ticks: number[] = [];
  for (let at = first; at < window.end; at += step) ticks.push(at);
  return ticks;
}
