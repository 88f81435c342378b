// Where bars go: GPUs as rows, overlapping bars of a row in lanes, times as parts of the width.
import type { Schemas } from '@/api/client';

export type Held = Schemas['TimelineAttempt'];

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
  held: Held;
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
function barsOf(held: Held, part: number, now: number): Bar[] {
  const bars: Bar[] = [];
  const add = (from: number, to: number | null) => {
    const endsBy = to === null && held.endsBy ? Date.parse(held.endsBy) : null;
    bars.push({ held, part, from, to: to ?? now, open: to === null, endsBy, lane: 0 });
  };
  let from = Date.parse(held.placedAt);
  for (const absence of held.absences) {
    add(from, Date.parse(absence.from));
    if (!absence.to) return bars;
    from = Date.parse(absence.to);
  }
  add(from, held.endedAt ? Date.parse(held.endedAt) : null);
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

const natural = new Intl.Collator('en', { numeric: true });

/** One row for each known GPU and, if all are wanted, each other one that was ever held; by node. */
export function rowsOf(attempts: Held[], known: { uuid: string; node: string }[], now: number, wanted: 'all' | 'known' = 'all'): Row[] {
  const rows = new Map<string, Row>();
  const row = (gpu: string, node: string) => {
    const found = rows.get(gpu) ?? { gpu, node, bars: [], lanes: 1 };
    rows.set(gpu, found);
    return found;
  };
  for (const gpu of known) row(gpu.uuid, gpu.node);
  for (const held of attempts) {
    for (const hold of held.holds) {
      if (wanted === 'all' || rows.has(hold.gpu)) row(hold.gpu, hold.node).bars.push(...barsOf(held, hold.part, now));
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
