// Lines of a chart out of metric histories. Pure.
import type { RunSeries } from '@/api/runs';

export type Axis = 'step' | 'time' | 'relative';

export interface LineLook {
  axis: Axis;
  /** 0: as logged; towards 1: ever smoother. */
  smoothing: number;
  /** Only values above 0 have a logarithm. */
  log: boolean;
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

function placeOf(series: RunSeries, axis: Axis): number[] {
  if (axis === 'step') return series.steps;
  const first = series.times.reduce((least, t) => Math.min(least, t), Infinity);
  return series.times.map((t) => (axis === 'time' ? t / 1000 : (t - first) / 1000));
}

/** One history as a line; along a time axis its points are put in order. */
export function lineOf(series: RunSeries, look: LineLook): DrawnLine {
  const places = placeOf(series, look.axis);
  const order = places.map((_, i) => i).sort((a, b) => (places[a] as number) - (places[b] as number) || a - b);
  const values = order.map((i) => {
    const value = series.values[i] as unknown;
    return typeof value === 'number' && !(look.log && value <= 0) ? value : null;
  });
  return { x: order.map((i) => places[i] as number), y: smooth(values, look.smoothing) };
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
