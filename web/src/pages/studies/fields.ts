// Columns that a plot can have on an axis: the numbers of all trials, and how they are read. Pure.
import type { Study, StudyParameter } from '@/api/studies';
import { duration } from '@/lib/time';
import { number } from '@/pages/runs/values';
import { STATES, type Trials } from '@/api/trials';

export interface Field {
  id: string;
  label: string;
  values: Float64Array;
  scale: 'linear' | 'log' | 'choice' | 'duration';
  choices: string[];
  low: number;
  high: number;
  /** Some values lie beyond the ends and are drawn there. */
  cut: boolean;
  text: (value: number) => string;
}

export type Direction = 'minimize' | 'maximize';
export const directionOf = (study: Study, objective: number): Direction => (study.spec.objectives[objective]?.direction as Direction | null | undefined) ?? 'minimize';
/** 1 where small values are good, -1 where large ones are. */
export const signOf = (study: Study, objective: number) => (directionOf(study, objective) === 'maximize' ? -1 : 1);
export const metricOf = (study: Study, objective = 0) => study.spec.objectives[objective]?.metric ?? 'value';

const isChosen = (p: StudyParameter) => p.type === 'categorical' || p.type === 'ordinal' || (!p.type && Boolean(p.choices));
export const isConstant = (p: StudyParameter) => p.type === 'constant' || (!p.type && p.value !== undefined && p.value !== null);
export const choiceTexts = (p: StudyParameter) => (p.choices ?? []).map((choice) => (typeof choice === 'string' ? choice : JSON.stringify(choice)));

/** The ends of what is there; nothing is there: none. */
export function extent(values: Iterable<number>): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (!Number.isFinite(v)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return low <= high ? [low, high] : null;
}

export function quantile(sorted: ArrayLike<number>, part: number): number {
  const at = (sorted.length - 1) * part;
  const below = sorted[Math.floor(at)] ?? NaN;
  const above = sorted[Math.ceil(at)] ?? NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export const sortedFinite = (values: Iterable<number>): Float64Array => Float64Array.from([...values].filter(Number.isFinite)).sort();

const FAR = 6;

/** Ends that leave out what is far worse than nearly all: a loss of 1e30 would hide the rest. */
function robust(values: Float64Array, sign: number): { low: number; high: number; cut: boolean } {
  const sorted = sortedFinite(values);
  if (sorted.length === 0) return { low: 0, high: 1, cut: false };
  const [first, last] = [sorted[0] as number, sorted[sorted.length - 1] as number];
  const span = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  if (sign > 0) {
    const wall = quantile(sorted, 0.75) + FAR * span;
    return span > 0 && last > wall ? { low: first, high: wall, cut: true } : { low: first, high: last, cut: false };
  }
  const wall = quantile(sorted, 0.25) - FAR * span;
  return span > 0 && first < wall ? { low: wall, high: last, cut: true } : { low: first, high: last, cut: false };
}

/** A little room beside the outermost points. */
function widened({ low, high, cut }: { low: number; high: number; cut: boolean }) {
  if (low === high) return { low: low - (Math.abs(low) * 0.05 || 0.5), high: high + (Math.abs(high) * 0.05 || 0.5), cut };
  const room = (high - low) * 0.03;
  return { low: low - room, high: high + room, cut };
}

const chosen = (id: string, label: string, values: Float64Array, choices: string[]): Field => ({
  id, label, values, scale: 'choice', choices, low: -0.5, high: Math.max(0.5, choices.length - 0.5), cut: false, text: (v) => choices[Math.round(v)] ?? '–',
});

const plain = (id: string, label: string, values: Float64Array, ends: { low: number; high: number; cut: boolean }, text = number): Field => ({
  id, label, values, scale: 'linear', choices: [], ...widened(ends), text,
});

function parameterField(p: StudyParameter, trials: Trials): Field {
  const values = trials.parameters.get(p.name) ?? new Float64Array(trials.count).fill(NaN);
  const id = `p.${p.name}`;
  if (isChosen(p)) return chosen(id, p.name, values, choiceTexts(p));
  const seen = extent(values) ?? [0, 1];
  const low = p.low ?? seen[0];
  const high = p.high ?? seen[1];
  if (p.log && low > 0) return { id, label: p.name, values, scale: 'log', choices: [], low, high: high > low ? high : low * 10, cut: false, text: number };
  return plain(id, p.name, values, { low, high, cut: false });
}

export interface Fields {
  number: Field;
  /** The first objective; of a trial without a result its last report. */
  newest: Field;
  state: Field;
  objectives: Field[];
  parameters: Field[];
  all: Map<string, Field>;
}

const indexes = (count: number) => Float64Array.from({ length: count }, (_, i) => i);

function lengths(trials: Trials): Float64Array {
  return trials.ended.map((end, i) => (end - (trials.started[i] as number)) / 1000);
}

function newestField(study: Study, trials: Trials, objective: Field): Field {
  const values = objective.values.map((v, i) => (Number.isFinite(v) ? v : 'PR'.includes(trials.states[i] ?? '') ? (trials.lasts[i] as number) : NaN));
  return { ...plain('newest', objective.label, values, robust(values, signOf(study, 0))) };
}

export function fieldsOf(study: Study, trials: Trials): Fields {
  const count = trials.count;
  const ends = (values: Float64Array) => {
    const [low, high] = extent(values) ?? [0, 1];
    return { low, high, cut: false };
  };
  const first = plain('number', 'Trial', indexes(count), { low: 0, high: Math.max(1, count - 1), cut: false });
  const state = chosen('state', 'State', Float64Array.from({ length: count }, (_, i) => STATES.findIndex((s) => s[0] === trials.states[i])), [...STATES]);
  const objectives = study.spec.objectives.map((objective, i) => {
    const values = trials.values[i] ?? new Float64Array(count).fill(NaN);
    return plain(`value.${i}`, objective.metric, values, robust(values, signOf(study, i)));
  });
  const parameters = study.spec.parameters.filter((p) => !isConstant(p)).map((p) => parameterField(p, trials));
  const newest = newestField(study, trials, objectives[0] as Field);
  const took = lengths(trials);
  const others = [plain('took', 'Took', took, ends(took), (v) => duration(v)), plain('steps', 'Last step', trials.steps, ends(trials.steps))];
  const all = new Map([first, state, newest, ...objectives, ...parameters, ...others].map((field) => [field.id, field]));
  return { number: first, state, newest, objectives, parameters, all };
}

/** Where a value is between the ends of its field: 0 to 1, cut there. */
export function placeOf(field: Field, value: number): number {
  const part = field.scale === 'log' ? Math.log(value / field.low) / Math.log(field.high / field.low) : (value - field.low) / (field.high - field.low);
  return part < 0 ? 0 : part > 1 ? 1 : part;
}

/** The value at a place. */
export function valueAt(field: Field, place: number): number {
  return field.scale === 'log' ? field.low * (field.high / field.low) ** place : field.low + (field.high - field.low) * place;
}

/** Round values for marks, a handful; where every one reads differently. */
export function marks(field: Field, most: number): number[] {
  if (field.scale === 'choice') {
    const every = Math.max(1, Math.ceil(field.choices.length / most));
    return field.choices.map((_, i) => i).filter((i) => i % every === 0);
  }
  if (field.scale === 'log') {
    const [from, to] = [Math.ceil(Math.log10(field.low) - 1e-9), Math.floor(Math.log10(field.high) + 1e-9)];
    if (to - from >= 1) {
      const every = Math.ceil((to - from + 1) / most);
      return Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i)).filter((_, i) => i % every === 0);
    }
  }
  if (field.scale === 'duration') {
    const step = SPANS.find((s) => (field.high - field.low) / s <= most) ?? 86_400;
    return Array.from({ length: Math.floor(field.high / step) + 1 }, (_, i) => i * step);
  }
  return roundMarks(field.low, field.high, most);
}

/** Round lengths of time, in seconds. */
const SPANS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 432_000, 864_000];

export function roundMarks(low: number, high: number, most: number): number[] {
  const rough = (high - low) / Math.max(1, most);
  if (!(rough > 0)) return [low];
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * unit).find((s) => s >= rough) ?? 10 * unit;
  const found: number[] = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) found.push(Number(v.toPrecision(12)));
  return found;
}
