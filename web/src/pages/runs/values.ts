// Numbers and texts of runs, as people read them. Pure.
import type { Run, RunMetric } from '@/api/runs';

/** At most six digits that matter: a loss of 0.000123 and a count of 1200000 both fit a column. */
export function number(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(3).replace(/\.?0+e/, 'e');
  return String(Number(value.toPrecision(6)));
}

const LONG = /^-?\d*\.?\d{10,}(e[-+]?\d+)?$/i;

/** A parameter as it was told; of a number with more digits than matter, those that do. */
export const paramText = (text: string): string => (LONG.test(text) && text.includes('.') ? number(Number(text)) : text);

/** A metric's value is a number, or the name of one that JSON cannot write. */
export const metricText = (value: unknown): string => (typeof value === 'number' ? number(value) : String(value));

/** Numbers by their value, before words by the alphabet. */
export function byValue(a: string, b: string): number {
  const [x, y] = [a.trim() === '' ? NaN : Number(a), b.trim() === '' ? NaN : Number(b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a.localeCompare(b, 'en', { numeric: true });
  return x - y;
}

/** The name of one of several; with its project where another has the same name. */
export const nameIn = <T extends { name: string; projectName: string }>(all: T[], one: T): string => (all.filter((other) => other.name === one.name).length > 1 ? `${one.name} (${one.projectName})` : one.name);

/** Names of what the runs have logged, those of most runs first. */
export function namesIn(list: Run[], pick: (run: Run) => string[]): string[] {
  const counts = new Map<string, number>();
  for (const run of list) for (const name of pick(run)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b)).map(([name]) => name);
}

const OWN = /^(mlflow\.|gpuyard\.|command$)/;
/** Tags that people wrote; clients and the server keep some of their own. */
export const ownTags = (run: Run): [string, string][] => Object.entries(run.tags as Record<string, string>).filter(([key]) => !OWN.test(key));

/** Parameters that are not the same in all runs. */
export function differing(list: Run[]): string[] {
  const names = namesIn(list, (run) => Object.keys(run.params));
  return names.filter((name) => new Set(list.map((run) => (run.params as Record<string, string>)[name])).size > 1);
}

export interface Spread {
  mean: number;
  deviation: number;
}

/** Mean and standard deviation of what is a number. */
export function spread(values: unknown[]): Spread | null {
  const numbers = values.filter((v): v is number => typeof v === 'number' && Number.isFinite(v));
  if (numbers.length === 0) return null;
  const mean = numbers.reduce((sum, v) => sum + v, 0) / numbers.length;
  const variance = numbers.reduce((sum, v) => sum + (v - mean) ** 2, 0) / numbers.length;
  return { mean, deviation: Math.sqrt(variance) };
}

export interface Group<T> {
  name: string;
  rows: T[];
}

/** Rows by what `name` says of them, in the order in which the names come. */
export function grouped<T>(rows: T[], name: (row: T) => string): Group<T>[] {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = name(row);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups].map(([key, list]) => ({ name: key, rows: list }));
}

/** What a field such as `params.lr` is in a run, as text. */
export function fieldText(run: Run, field: string): string {
  const [section, ...rest] = field.split('.');
  const name = rest.join('.');
  if (section === 'params') return (run.params as Record<string, string>)[name] ?? '';
  if (section === 'tags') return (run.tags as Record<string, string>)[name] ?? '';
  if (section === 'metrics') {
    const found = run.metrics.find((m: RunMetric) => m.name === name);
    return found ? metricText(found.value) : '';
  }
  return String((run as unknown as Record<string, unknown>)[field] ?? '');
}
