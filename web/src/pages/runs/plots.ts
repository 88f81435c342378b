// Runs as points and bars: what a scatter chart and a bar chart show. Pure.
import type { Run } from '@/api/runs';
import { byValue, fieldText, grouped, spread } from '@/pages/runs/values';

/** What a field is as a number; null where it is none. */
export function fieldNumber(run: Run, field: string): number | null {
  if (field.startsWith('metrics.')) {
    const value = run.metrics.find((m) => m.name === field.slice(8))?.value as unknown;
    return typeof value === 'number' ? value : null;
  }
  const text = fieldText(run, field).trim();
  const number = text === '' ? NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

export interface Spot {
  run: Run;
  index: number;
  x: number;
  y: number;
}

export interface Scatter {
  spots: Spot[];
  /** Names along the lower axis, where the values are no numbers. */
  names: string[] | null;
  /** Runs that lack one of the two values. */
  missing: number;
  /** Runs with values of 0 or less, which have no place on a log scale. */
  belowLog: number;
}

export function scatterOf(list: Run[], x: string, y: string, log: { x: boolean; y: boolean }): Scatter {
  const told = list.map((run) => fieldText(run, x)).filter((text) => text !== '');
  const numbers = told.length > 0 && list.every((run) => fieldText(run, x) === '' || fieldNumber(run, x) !== null);
  const names = numbers ? null : [...new Set(told)].sort(byValue);
  const known = list.flatMap((run, index): Spot[] => {
    const place = names === null ? fieldNumber(run, x) : names.indexOf(fieldText(run, x));
    const value = fieldNumber(run, y);
    if (place === null || value === null || (names !== null && place < 0)) return [];
    return [{ run, index, x: place, y: value }];
  });
  const spots = known.filter((spot) => !(log.y && spot.y <= 0) && !(log.x && names === null && spot.x <= 0));
  return { spots, names, missing: list.length - known.length, belowLog: known.length - spots.length };
}

export interface BarLine {
  name: string;
  /** The place of its colour. */
  index: number;
  value: number;
  deviation: number | null;
  runs: number;
}

/** The newest values of a metric: a bar for each run, or the mean of each group. */
export function barsOf(list: Run[], field: string, group: string): BarLine[] {
  if (!group) {
    return list.flatMap((run, index) => {
      const value = fieldNumber(run, field);
      return value === null ? [] : [{ name: run.name, index, value, deviation: null, runs: 1 }];
    });
  }
  const groups = grouped(list, (run) => fieldText(run, group)).sort((a, b) => byValue(a.name, b.name));
  return groups.flatMap(({ name, rows }, index) => {
    const found = spread(rows.map((run) => fieldNumber(run, field)));
    return found ? [{ name: name || 'without a value', index, value: found.mean, deviation: found.deviation, runs: rows.length }] : [];
  });
}

export interface BarPlace {
  /** Percent of the width. */
  left: number;
  width: number;
}

/** Where bars begin and how long they are; those below 0 lie left of those above. */
export function placesOf(values: number[]): BarPlace[] {
  const low = Math.min(0, ...values);
  const whole = Math.max(0, ...values) - low || 1;
  return values.map((value) => ({ left: (100 * (Math.min(0, value) - low)) / whole, width: (100 * Math.abs(value)) / whole }));
}

/** Round places for lines across a chart, between the least and the greatest value. */
export function ticksOf(low: number, high: number, log: boolean, most = 6): number[] {
  if (!(high > low)) return [low];
  if (log) {
    const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    const every = Math.max(1, Math.ceil((last - first + 1) / most));
    const powers: number[] = [];
    for (let power = first; power <= last; power += every) powers.push(10 ** power);
    return powers.length > 1 ? powers : [low, high];
  }
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

export type Aim = 'least' | 'greatest';

/** The best of the runs by a metric; null if none has a value. */
export function bestOf(list: Run[], field: string, aim: Aim): Run | null {
  let best: { run: Run; value: number } | null = null;
  for (const run of list) {
    const value = fieldNumber(run, field);
    if (value !== null && (best === null || (aim === 'least' ? value < best.value : value > best.value))) best = { run, value };
  }
  return best?.run ?? null;
}

/** What people usually want of a metric, by its name. */
export const aimOf = (metric: string): Aim => (/loss|error|err\b|rmse|mae|mse|perplexity|ppl|time|latency|fid/i.test(metric) ? 'least' : 'greatest');
