// What a calendar of reservations shows: its days, a row for each project, how much is kept when.
import type { Reservation } from '@/api/reservations';
import { isDay } from '@/lib/time';
import { intoLanes, type Spanned, type Window } from '@/pages/timeline/layout';

/** Days in view, and in each column. */
export const SPANS = { week: [7, 1], month: [28, 1], quarter: [91, 7] } as const;
export type Span = keyof typeof SPANS;

export const isSpan = (text: string | null): text is Span => text !== null && text in SPANS;

/** The same time of another day, also where clocks are changed in between. */
export function addDays(at: number, days: number): number {
  const date = new Date(at);
  date.setDate(date.getDate() + days);
  return date.getTime();
}

/** The beginning of the week of a moment. */
export function mondayOf(at: number): number {
  const date = new Date(at);
  date.setHours(0, 0, 0, 0);
  return addDays(date.getTime(), -((date.getDay() + 6) % 7));
}

/** The weeks in view: those from a day on, or from this week on. */
export function windowOf(span: Span, from: string | null, now: number): Window {
  const start = mondayOf(isDay(from) ? new Date(`${from}T00:00`).getTime() : now);
  return { start, end: addDays(start, SPANS[span][0]), now };
}

export interface Column {
  from: number;
  to: number;
}

export function columnsOf(span: Span, window: Window): Column[] {
  const [days, step] = SPANS[span];
  return Array.from({ length: days / step }, (_, i) => ({ from: addDays(window.start, i * step), to: addDays(window.start, (i + 1) * step) }));
}

export interface KeptBar extends Spanned {
  one: Reservation;
}

export interface ProjectRow {
  project: string;
  bars: KeptBar[];
  lanes: number;
}

const barOf = (one: Reservation): KeptBar => ({ one, from: Date.parse(one.start), to: Date.parse(one.end), open: false, lane: 0 });
const meets = (bar: Spanned, from: number, to: number) => bar.from < to && from < bar.to;

/** A row for each project with something in the window, by name. */
export function rowsOf(list: Reservation[], window: Window): ProjectRow[] {
  const rows = new Map<string, ProjectRow>();
  for (const bar of list.map(barOf).filter((b) => meets(b, window.start, window.end))) {
    const project = bar.one.projectName;
    const row = rows.get(project) ?? { project, bars: [], lanes: 1 };
    row.bars.push(bar);
    rows.set(project, row);
  }
  for (const row of rows.values()) row.lanes = intoLanes(row.bars);
  return [...rows.values()].sort((a, b) => a.project.localeCompare(b.project));
}

/** The most GPUs that are kept at one time within a span. */
export function mostKept(list: Reservation[], { from, to }: Column): number {
  const bars = list.map(barOf).filter((bar) => meets(bar, from, to));
  const at = (time: number) => bars.filter((bar) => bar.from <= time && time < bar.to).reduce((sum, bar) => sum + bar.one.gpu, 0);
  return Math.max(0, ...bars.map((bar) => at(Math.max(bar.from, from))));
}
