// The sums behind the plots: best so far, ranks, fronts, distributions. Pure.
import type { Study } from '@/api/studies';
import { isComplete, type Trials } from '@/api/trials';
import { signOf } from '@/pages/studies/fields';

/** One configuration: the mean over its complete runs. */
export interface Result {
  first: number;
  /** The newest of its runs. */
  at: number;
  mean: number;
  runs: number;
}

/** In the order in which their newest runs were begun. */
export function resultsOf(trials: Trials, objective: number): Result[] {
  const byFirst = new Map<number, Result>();
  const values = trials.values[objective];
  for (let i = 0; i < trials.count; i++) {
    const value = values?.[i] ?? NaN;
    if (!isComplete(trials, i) || !Number.isFinite(value)) continue;
    const of = trials.repeatOf[i] as number;
    const first = Number.isFinite(of) ? of : i;
    const known = byFirst.get(first);
    if (!known) byFirst.set(first, { first, at: i, mean: value, runs: 1 });
    else {
      known.mean += (value - known.mean) / (known.runs + 1);
      known.runs += 1;
      known.at = i;
    }
  }
  return [...byFirst.values()].sort((a, b) => a.at - b.at);
}

/** Trials that took each other's place, from the first to the newest; `from` is whose checkpoint it started from. */
export type Line = { trial: number; from: number | null }[];

/** Lines of two trials and more, in the order of their first ones. */
export function linesOf(trials: Trials): Line[] {
  const lines = new Map<number, Line>();
  for (let i = 0; i < trials.count; i++) {
    const before = trials.continues[i] as number;
    if (!Number.isFinite(before)) continue;
    const line = lines.get(before) ?? [{ trial: before, from: null }];
    line.push({ trial: i, from: trials.resumesFrom[i] as number });
    lines.delete(before);
    lines.set(i, line);
  }
  return [...lines.values()].sort((a, b) => (a[0]?.trial ?? 0) - (b[0]?.trial ?? 0));
}

/** Every result that was better than all before it. */
export function improvements(results: Result[], sign: number): Result[] {
  const better: Result[] = [];
  let best = Infinity;
  for (const one of results) {
    if (sign * one.mean >= best) continue;
    best = sign * one.mean;
    better.push(one);
  }
  return better;
}

/** The place of each trial among the complete ones by an objective: 0 the best, 1 the worst; none: not a number. */
export function ranksOf(study: Study, trials: Trials, objective: number): Float64Array {
  const values = trials.values[objective] ?? new Float64Array(0);
  const sign = signOf(study, objective);
  const order: number[] = [];
  for (let i = 0; i < trials.count; i++) if (isComplete(trials, i) && Number.isFinite(values[i])) order.push(i);
  order.sort((a, b) => sign * ((values[a] as number) - (values[b] as number)));
  const ranks = new Float64Array(trials.count).fill(NaN);
  order.forEach((trial, place) => {
    const before = order[place - 1];
    // Equal values have equal ranks.
    const same = before !== undefined && values[before] === values[trial];
    ranks[trial] = same ? (ranks[before as number] as number) : order.length > 1 ? place / (order.length - 1) : 0;
  });
  return ranks;
}

/** The share of values up to each: at most `most` points. */
export function distribution(sorted: Float64Array, most: number): { x: number; share: number }[] {
  const count = Math.min(most, sorted.length);
  return Array.from({ length: count }, (_, i) => {
    const at = count === 1 ? sorted.length - 1 : Math.round((i * (sorted.length - 1)) / (count - 1));
    return { x: sorted[at] as number, share: (at + 1) / sorted.length };
  });
}

export interface Pair {
  trial: number;
  a: number;
  b: number;
}

/** Complete trials by two objectives as losses. */
export function pairsOf(study: Study, trials: Trials, first: number, second: number): Pair[] {
  const pairs: Pair[] = [];
  const [x, y] = [trials.values[first], trials.values[second]];
  if (!x || !y) return pairs;
  for (let i = 0; i < trials.count; i++) {
    const [a, b] = [signOf(study, first) * (x[i] as number), signOf(study, second) * (y[i] as number)];
    if (isComplete(trials, i) && Number.isFinite(a) && Number.isFinite(b)) pairs.push({ trial: i, a, b });
  }
  return pairs;
}

/** Those that no other beats in both, from the best in the first to the best in the second. */
export function front(pairs: Pair[]): Pair[] {
  const sorted = [...pairs].sort((p, q) => p.a - q.a || p.b - q.b || p.trial - q.trial);
  const kept: Pair[] = [];
  let least = Infinity;
  for (const one of sorted) {
    if (one.b >= least) continue;
    least = one.b;
    kept.push(one);
  }
  return kept;
}

/** The area that a front covers up to a corner. */
export function area(sortedFront: Pair[], corner: { a: number; b: number }): number {
  let sum = 0;
  let above = corner.b;
  for (const { a, b } of sortedFront) {
    if (a >= corner.a || b >= above) continue;
    sum += (corner.a - a) * (above - b);
    above = b;
  }
  return sum;
}

const MOST_AREAS = 200;

/** How the covered area grew: a share of what it is in the end, at most 200 points. */
export function areas(pairs: Pair[]): { trial: number; share: number }[] {
  if (pairs.length < 2) return [];
  const corner = pairs.reduce((c, p) => ({ a: Math.max(c.a, p.a), b: Math.max(c.b, p.b) }), { a: -Infinity, b: -Infinity });
  const whole = area(front(pairs), corner);
  if (!(whole > 0)) return [];
  const points: { trial: number; share: number }[] = [];
  const every = Math.max(1, Math.ceil(pairs.length / MOST_AREAS));
  let kept: Pair[] = [];
  pairs.forEach((pair, i) => {
    if (!kept.some((k) => k.a <= pair.a && k.b <= pair.b)) kept = front([...kept, pair]);
    if (i % every === 0 || i === pairs.length - 1) points.push({ trial: pair.trial, share: area(kept, corner) / whole });
  });
  return points;
}

export interface Grid {
  columns: number;
  rows: number;
  /** Mean rank around each cell; not a number where no trial is near. */
  cells: Float64Array;
}

const NEAR = 0.07;

/** Ranks smoothed over a plane: what can be expected between the trials. */
export function surface(points: { x: number; y: number; rank: number }[], columns: number, rows: number): Grid {
  const cells = new Float64Array(columns * rows).fill(NaN);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = [(column + 0.5) / columns, (row + 0.5) / rows];
      let weights = 0;
      let sum = 0;
      for (const p of points) {
        const far = ((p.x - x) ** 2 + (p.y - y) ** 2) / (2 * NEAR * NEAR);
        if (far > 6) continue;
        const weight = Math.exp(-far);
        weights += weight;
        sum += weight * p.rank;
      }
      if (weights > 0.05) cells[row * columns + column] = sum / weights;
    }
  }
  return { columns, rows, cells };
}

const MOST_LANES = 400;

/** A line for each trial, so that those at the same time are below each other. */
export function lanesOf(trials: Trials, now: number): { lanes: Int32Array; count: number } {
  const lanes = new Int32Array(trials.count);
  const free: number[] = [];
  for (let i = 0; i < trials.count; i++) {
    const start = trials.started[i] as number;
    const end = Number.isFinite(trials.ended[i]) ? (trials.ended[i] as number) : now;
    let lane = free.findIndex((until) => until <= start);
    if (lane < 0) lane = free.length < MOST_LANES ? free.length : i % MOST_LANES;
    free[lane] = end;
    lanes[i] = lane;
  }
  return { lanes, count: Math.max(1, free.length) };
}

export interface Rung {
  step: number;
  reached: number;
  /** Stopped here, before the next rung. */
  stopped: number;
}

const MOST_RUNGS = 20;

/** Steps at which a pruner looks, and how many trials came that far. */
export function rungsOf(study: Study, trials: Trials): Rung[] {
  const pruner = study.spec.pruner;
  if (!pruner || pruner.type === 'none') return [];
  let most = 0;
  for (const step of trials.steps) if (step > most) most = step;
  const least = pruner.minSteps ?? Math.max(1, pruner.warmupSteps ?? 1);
  const factor = pruner.type === 'asha' || pruner.type === 'hyperband' ? (pruner.reduction ?? 3) : 2;
  const steps: number[] = [];
  for (let s = least; s <= Math.min(most, pruner.maxSteps ?? most) && steps.length < MOST_RUNGS; s *= factor) steps.push(s);
  return steps.map((step, i) => {
    const next = steps[i + 1] ?? Infinity;
    const rung: Rung = { step, reached: 0, stopped: 0 };
    for (let t = 0; t < trials.count; t++) {
      const last = trials.steps[t] as number;
      if (!(last >= step)) continue;
      rung.reached += 1;
      if (trials.states[t] === 'P' && last < next) rung.stopped += 1;
    }
    return rung;
  });
}

/** How two columns go together by rank, -1 to 1; nothing with fewer than five pairs. */
export function rankCorrelation(xs: ArrayLike<number>, ys: ArrayLike<number>): number | null {
  const at: number[] = [];
  for (let i = 0; i < xs.length; i++) if (Number.isFinite(xs[i]) && Number.isFinite(ys[i])) at.push(i);
  if (at.length < 5) return null;
  const [a, b] = [placesOf(at.map((i) => xs[i] as number)), placesOf(at.map((i) => ys[i] as number))];
  const mean = (at.length - 1) / 2;
  let [top, left, right] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [p, q] = [(a[i] as number) - mean, (b[i] as number) - mean];
    top += p * q;
    left += p * p;
    right += q * q;
  }
  return left > 0 && right > 0 ? top / Math.sqrt(left * right) : null;
}

/** Places in order; equal values share the mean of theirs. */
function placesOf(values: number[]): number[] {
  const order = values.map((_, i) => i).sort((i, j) => (values[i] as number) - (values[j] as number));
  const places = new Array<number>(values.length);
  for (let i = 0; i < order.length; ) {
    let end = i;
    while (end + 1 < order.length && values[order[end + 1] as number] === values[order[i] as number]) end += 1;
    for (let k = i; k <= end; k++) places[order[k] as number] = (i + end) / 2;
    i = end + 1;
  }
  return places;
}
