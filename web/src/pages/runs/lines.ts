// Lines of a chart out of metric histories. Pure.
import type { RunSeries } from '@/api/runs';

export type Axis = 'step' | 'time' | 'relative' | 'gpu';

/** GPU-hours that a run had held at a moment, in milliseconds since 1970. */
export type HoursAt = (moment: number) => number;

export interface LineLook {
  axis: Axis;
  /** 0: as logged; towards 1: ever smoother. */
  smoothing: number;
  /** Only values above 0 have a logarithm. */
  log: boolean;
  logX?: boolean;
}

type Value = number | null;
export interface DrawnLine {
  x: number[];
  y: Value[];
}

/** An exponential average that does not begin at 0; gaps stay gaps. */
export function smooth(values: Value[], weight: number): Value[] {
  if (weight <= 0) return values;
  let average = 0;
  let count = 0;
  return values.map((value) => {
    if (value === null) return null;
    average = average * weight + value * (1 - weight);
    count += 1;
    return average / (1 - weight ** count);
  });
}

function placeOf(series: RunSeries, axis: Axis, hours?: HoursAt): number[] | null {
  if (axis === 'step') return series.steps;
  if (axis === 'gpu') return hours ? series.times.map(hours) : null;
  const first = series.times.reduce((least, t) => Math.min(least, t), Infinity);
  return series.times.map((t) => (axis === 'time' ? t / 1000 : (t - first) / 1000));
}

/** One history as a line; along a time axis its points are put in order. Without GPU-hours there is none along them. */
export function lineOf(series: RunSeries, look: LineLook, hours?: HoursAt): DrawnLine {
  const places = placeOf(series, look.axis, hours);
  if (places === null) return { x: [], y: [] };
  const order = places
    .map((_, i) => i)
    .filter((i) => !look.logX || (places[i] as number) > 0)
    .sort((a, b) => (places[a] as number) - (places[b] as number) || a - b);
  const values = order.map((i) => {
    const value = series.values[i] as unknown;
    return typeof value === 'number' && !(look.log && value <= 0) ? value : null;
  });
  return { x: order.map((i) => places[i] as number), y: smooth(values, look.smoothing) };
}

/** What the legend says of a line: its value at the pointer, else its newest one. */
export const legendOf = (row: ArrayLike<Value | undefined> | undefined, value: Value | undefined, at: number | null): Value => value ?? (at === null ? (Array.from(row ?? []).findLast((one) => one !== null && one !== undefined) ?? null) : null);

export interface Band {
  x: number[];
  mean: Value[];
  low: Value[];
  high: Value[];
}

const MOST_PLACES = 500;

/** The value of a line between its points; null before its first and behind its last one. */
function reader(line: DrawnLine): (x: number) => Value {
  const kept = line.x.map((x, i) => [x, line.y[i]] as const).filter((point): point is readonly [number, number] => point[1] !== null && point[1] !== undefined);
  let at = 0;
  return (x) => {
    while (at + 1 < kept.length && (kept[at + 1] as readonly [number, number])[0] <= x) at++;
    const [before, next] = [kept[at], kept[at + 1]];
    if (!before || x < before[0] || (!next && x > before[0])) return null;
    return next ? before[1] + ((next[1] - before[1]) * (x - before[0])) / (next[0] - before[0]) : before[1];
  };
}

/** Mean and standard deviation of several lines, wherever at least one of them is. */
export function bandOf(lines: DrawnLine[]): Band {
  const all = [...new Set(lines.flatMap((line) => line.x))].sort((a, b) => a - b);
  const every = Math.ceil(all.length / MOST_PLACES);
  const x = every > 1 ? all.filter((_, i) => i % every === 0 || i === all.length - 1) : all;
  const readers = lines.map(reader);
  const band: Band = { x, mean: [], low: [], high: [] };
  for (const place of x) {
    const values = readers.map((read) => read(place)).filter((v): v is number => v !== null);
    const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
    const deviation = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length);
    const there = values.length > 0;
    band.mean.push(there ? mean : null);
    // Not below the least of them: a logarithmic axis has no place for less than that.
    band.low.push(there ? Math.max(mean - deviation, Math.min(...values)) : null);
    band.high.push(there ? Math.min(mean + deviation, Math.max(...values)) : null);
  }
  return band;
}

/** Lines with different places, put on one axis. */
export function aligned(lines: DrawnLine[]): [number[], ...Value[][]] {
  const all = [...new Set(lines.flatMap((line) => line.x))].sort((a, b) => a - b);
  const at = new Map(all.map((x, i) => [x, i]));
  const rows = lines.map((line) => {
    const row: Value[] = new Array<Value>(all.length).fill(null);
    line.x.forEach((x, i) => {
      row[at.get(x) as number] = line.y[i] ?? null;
    });
    return row;
  });
  return [all, ...rows];
}
