// One sentence under each plot that says what follows from it, computed from the trials. Pure.
import type { Study, Trial } from '@/api/studies';
import { isComplete, type Trials } from '@/api/trials';
import { plural } from '@/lib/quantity';
import { duration } from '@/lib/time';
import { number } from '@/pages/runs/values';
import { metricOf, quantile, signOf, sortedFinite, type Field, type Fields } from '@/pages/studies/fields';
import { front, improvements, pairsOf, rankCorrelation, ranksOf, resultsOf, rungsOf, type Grid, type Line } from '@/pages/studies/sums';

const percentOf = (part: number) => `${Math.round(100 * part)} %`;
/** Three digits are enough to say where something is. */
const brief = (value: number) => number(Number(value.toPrecision(3)));
const NONE = 'No trial is complete yet.';
const MOST_SHARE = 0.1;

export function saysHistory(study: Study, trials: Trials): string {
  const results = resultsOf(trials, 0);
  const better = improvements(results, signOf(study, 0));
  const best = better.at(-1);
  if (!best) return NONE;
  const since = results.filter((r) => r.at > best.at).length;
  const runs = best.runs > 1 ? `, the mean of ${best.runs} runs` : '';
  const head = `Trial ${best.first} has the best ${metricOf(study)}: ${number(best.mean)}${runs}.`;
  if (since === 0) return `${head} It is the newest result, so more trials may still help.`;
  if (since >= Math.max(10, results.length / 3)) return `${head} The last ${since} results were not better: more trials promise little.`;
  return `${head} ${plural(since, 'result')} since then did not beat it.`;
}

export function saysLineage(trials: Trials, lines: Line[]): string {
  const taken = new Map<number, number>();
  for (let i = 0; i < trials.count; i++) {
    const from = trials.resumesFrom[i] as number;
    if (Number.isFinite(from)) taken.set(from, (taken.get(from) ?? 0) + 1);
  }
  const total = [...taken.values()].reduce((all, one) => all + one, 0);
  const [source, most] = [...taken].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0]);
  const head = `${plural(total, 'trial')} went on from a checkpoint, in ${plural(lines.length, 'line')}.`;
  return most > 1 ? `${head} Trial ${source} was taken over ${most} times: its parameters did best while it ran.` : head;
}

export function saysDistribution(study: Study, trials: Trials): string {
  const sorted = sortedFinite(completeValues(trials, 0));
  if (sorted.length < 2) return sorted.length === 0 ? NONE : 'One trial is complete; a distribution needs more.';
  const best = signOf(study, 0) > 0 ? (sorted[0] as number) : (sorted[sorted.length - 1] as number);
  const span = Math.abs(quantile(sorted, 0.5) - best);
  const near = sorted.filter((v) => Math.abs(v - best) <= span * 0.1).length;
  return `Half of ${sorted.length} complete trials are ${signOf(study, 0) > 0 ? 'at most' : 'at least'} ${number(quantile(sorted, 0.5))}; ${plural(near, 'trial')} (${percentOf(near / sorted.length)}) ${near === 1 ? 'is' : 'are'} about as good as the best, ${number(best)}.`;
}

function completeValues(trials: Trials, objective: number): number[] {
  const values = trials.values[objective] ?? new Float64Array(0);
  return [...values].filter((v, i) => isComplete(trials, i) && Number.isFinite(v));
}

export interface Importance {
  parameter: string;
  importance: number;
}

export function saysImportance(list: Importance[]): string {
  const [first] = list;
  const sum = list.reduce((all, one) => all + one.importance, 0);
  if (!first || !(sum > 0)) return 'Too few trials are complete to say which parameter matters.';
  const small = list.filter((one) => one.importance / sum < 0.05).map((one) => one.parameter);
  const head = `${first.parameter} makes ${percentOf(first.importance / sum)} of the difference.`;
  if (small.length === 0) return `${head} Every parameter matters.`;
  const names = small.length <= 3 ? small.join(', ') : `${small.slice(0, 2).join(', ')} and ${small.length - 2} others`;
  return `${head} ${names} ${small.length === 1 ? 'matters' : 'matter'} little: a fixed value would do.`;
}

/** The trials of the best tenth, three at least. */
function bestOf(ranks: Float64Array): number[] {
  const known = [...ranks.keys()].filter((i) => Number.isFinite(ranks[i])).sort((a, b) => (ranks[a] as number) - (ranks[b] as number));
  return known.slice(0, Math.max(Math.min(3, known.length), Math.ceil(known.length * MOST_SHARE)));
}

const bestWords = (count: number, one = 'has', many = 'have') => (count === 1 ? `The best trial ${one}` : `The best ${count} trials ${many}`);

/** Where the best trials are on one field. */
function placeWords(field: Field, best: number[]): string | null {
  const values = best.map((i) => field.values[i] as number).filter(Number.isFinite);
  if (values.length === 0) return null;
  if (field.scale === 'choice') {
    const counts = new Map<number, number>();
    for (const v of values) counts.set(v, (counts.get(v) ?? 0) + 1);
    const [most] = [...counts].sort(([, n], [, m]) => m - n);
    return most && most[1] >= values.length * 0.6 ? `${field.label} ${field.text(most[0])}` : null;
  }
  const sorted = Float64Array.from(values).sort();
  const [low, high] = [sorted[0] as number, sorted[sorted.length - 1] as number];
  return `${field.label} ${low === high ? brief(low) : `${brief(low)} to ${brief(high)}`}`;
}

export function saysParallel(study: Study, trials: Trials, fields: Fields): string {
  const best = bestOf(ranksOf(study, trials, 0));
  if (best.length === 0) return NONE;
  const words = fields.parameters.map((field) => placeWords(field, best)).filter((text): text is string => text !== null).slice(0, 4);
  return words.length === 0 ? `${bestWords(best.length)} nothing in common.` : `${bestWords(best.length)} ${words.join(', ')}.`;
}

export function saysSlice(study: Study, field: Field, objective: Field): string {
  if (field.scale === 'choice') return saysChoice(study, field, objective);
  const together = rankCorrelation(field.values, objective.values);
  if (together === null) return 'Too few results to say how it matters.';
  const part = Math.abs(together) < 0.5 ? bestPart(study, field, objective) : null;
  if (part) return `${objective.label} is best where ${field.label} is ${brief(part.low)} to ${brief(part.high)}: the median there is ${brief(part.median)}, elsewhere ${brief(part.elsewhere)}.`;
  if (Math.abs(together) < 0.2) return `${field.label} alone says little (rank correlation ${together.toFixed(2)}).`;
  const good = together * signOf(study, 0) < 0;
  return `${good ? 'Larger' : 'Smaller'} ${field.label} goes with better ${objective.label} (rank correlation ${together.toFixed(2)}).`;
}

const PARTS = 5;

/** The fifth of the trials by a parameter that is clearly better than the others; nothing if none is. */
function bestPart(study: Study, field: Field, objective: Field): { low: number; high: number; median: number; elsewhere: number } | null {
  const known = [...objective.values.keys()].filter((i) => Number.isFinite(objective.values[i]) && Number.isFinite(field.values[i])).sort((a, b) => (field.values[a] as number) - (field.values[b] as number));
  if (known.length < PARTS * 5) return null;
  const medianOf = (list: number[]) => quantile(sortedFinite(list.map((i) => objective.values[i] as number)), 0.5);
  const parts = Array.from({ length: PARTS }, (_, k) => known.slice(Math.floor((k * known.length) / PARTS), Math.floor(((k + 1) * known.length) / PARTS)));
  const sign = signOf(study, 0);
  const [best] = parts.map((list) => ({ list, median: medianOf(list) })).sort((a, b) => sign * (a.median - b.median));
  if (!best) return null;
  const inside = new Set(best.list);
  const rest = sortedFinite(known.filter((i) => !inside.has(i)).map((i) => objective.values[i] as number));
  // Better than three quarters of the others by its median.
  if (sign * best.median > sign * quantile(rest, sign > 0 ? 0.25 : 0.75)) return null;
  return { low: field.values[best.list[0] as number] as number, high: field.values[best.list.at(-1) as number] as number, median: best.median, elsewhere: quantile(rest, 0.5) };
}

function saysChoice(study: Study, field: Field, objective: Field): string {
  const medians = field.choices
    .map((choice, index) => ({ choice, values: sortedFinite([...objective.values].filter((_, i) => field.values[i] === index)) }))
    .filter(({ values }) => values.length > 0)
    .map(({ choice, values }) => ({ choice, count: values.length, median: quantile(values, 0.5) }))
    .sort((a, b) => signOf(study, 0) * (a.median - b.median));
  const [best, next] = medians;
  if (!best || !next) return 'Too few results to say which choice is better.';
  return `${best.choice} is best by its median, ${number(best.median)} over ${plural(best.count, 'trial')}; ${next.choice} has ${number(next.median)}.`;
}

export function saysSurface(grid: Grid, x: Field, y: Field, at: (field: Field, place: number) => string): string {
  let best = -1;
  grid.cells.forEach((rank, i) => {
    if (Number.isFinite(rank) && (best < 0 || rank < (grid.cells[best] as number))) best = i;
  });
  if (best < 0) return NONE;
  const [column, row] = [best % grid.columns, Math.floor(best / grid.columns)];
  const empty = grid.cells.filter((rank) => !Number.isFinite(rank)).length / grid.cells.length;
  const blank = empty > 0.25 ? ` ${percentOf(empty)} of the plane has not been tried.` : '';
  return `The best region is around ${x.label} ${at(x, (column + 0.5) / grid.columns)} and ${y.label} ${at(y, (row + 0.5) / grid.rows)}.${blank}`;
}

export function saysRank(study: Study, trials: Trials, x: Field, y: Field): string {
  const best = bestOf(ranksOf(study, trials, 0));
  const words = [placeWords(x, best), placeWords(y, best)].filter(Boolean);
  if (best.length === 0) return NONE;
  return words.length === 0 ? `${bestWords(best.length, 'is', 'are')} spread over both.` : `${bestWords(best.length, 'is', 'are')} at ${words.join(' and ')}.`;
}

export function saysFront(study: Study, trials: Trials, a: number, b: number): string {
  const pairs = pairsOf(study, trials, a, b);
  const kept = front(pairs);
  const [first, last] = [kept[0], kept.at(-1)];
  if (!first || !last) return NONE;
  const [x, y] = [metricOf(study, a), metricOf(study, b)];
  const show = (objective: number, loss: number) => number(signOf(study, objective) * loss);
  if (kept.length === 1) return `Trial ${first.trial} is the best in both of ${pairs.length}: there is nothing to weigh.`;
  return `${kept.length} of ${pairs.length} trials are beaten by no other: from ${x} ${show(a, first.a)} with ${y} ${show(b, first.b)} to ${x} ${show(a, last.a)} with ${y} ${show(b, last.b)}.`;
}

export function saysCurves(study: Study, list: Trial[]): string {
  const sign = signOf(study, 0);
  const told = list.filter((t) => (t.reports?.length ?? 0) > 1);
  if (told.length === 0) return 'No trial has reported values on its way.';
  const last = (t: Trial) => sign * Number(t.reports?.at(-1)?.value ?? Infinity);
  const best = told.filter((t) => t.state === 'Complete').sort((p, q) => last(p) - last(q))[0];
  if (!best) return 'No trial with values on its way is complete yet.';
  const steps = (best.reports ?? []).map((r) => r.step);
  const half = steps[Math.floor((steps.length - 1) / 2)] as number;
  const valueBy = (t: Trial) => (t.reports ?? []).filter((r) => r.step <= half).at(-1)?.value;
  const there = told.filter((t) => typeof valueBy(t) === 'number');
  const place = there.filter((t) => sign * (valueBy(t) as number) < sign * Number(valueBy(best))).length + 1;
  const early = place <= Math.max(1, there.length / 4);
  return `Trial ${best.number} ends best of those shown. At step ${half}, half-way, it was number ${place} of ${there.length}: ${early ? 'stopping the worst there would have kept it' : 'stopping the worst there might have stopped it'}.`;
}

export function saysTimeline(study: Study, trials: Trials, now: number): string {
  const took = sortedFinite(trials.ended.map((end, i) => (end - (trials.started[i] as number)) / 1000));
  if (took.length === 0) return 'No trial has ended yet.';
  let busy = 0;
  let [from, to] = [Infinity, -Infinity];
  for (let i = 0; i < trials.count; i++) {
    const end = Number.isFinite(trials.ended[i]) ? (trials.ended[i] as number) : now;
    busy += end - (trials.started[i] as number);
    from = Math.min(from, trials.started[i] as number);
    to = Math.max(to, end);
  }
  const atOnce = to > from ? busy / (to - from) : 1;
  const allowed = study.spec.concurrency ?? 1;
  const head = `A trial takes ${duration(quantile(took, 0.5))} (median), waiting included; ${number(Number(atOnce.toFixed(1)))} ran at once on average of ${allowed} allowed.`;
  const left = (study.budget.maxTrials ?? 0) - study.trials.configurations;
  if (study.state !== 'Running' || left <= 0 || atOnce <= 0) return head;
  const mean = took.reduce((sum, t) => sum + t, 0) / took.length;
  return `${head} The ${left} left take about ${duration((left * (study.spec.repeats ?? 1) * mean) / Math.max(1, Math.min(allowed, atOnce)))} more.`;
}

export function saysRungs(study: Study, trials: Trials): string {
  const rungs = rungsOf(study, trials);
  const [first, last] = [rungs[0], rungs.at(-1)];
  if (!first || !last || first.reached === 0) return 'No trial has reached a rung yet.';
  const stopped = [...trials.states].filter((s) => s === 'P').length;
  if (stopped === 0) return `No trial was stopped early so far; ${plural(last.reached, 'trial')} reached step ${last.step}.`;
  let [spent, whole] = [0, 0];
  const full = Math.max(...[...trials.steps].filter(Number.isFinite));
  for (let i = 0; i < trials.count; i++) {
    if (trials.states[i] !== 'P' && trials.states[i] !== 'C') continue;
    if (!Number.isFinite(trials.steps[i])) continue;
    spent += trials.steps[i] as number;
    whole += full;
  }
  return `${plural(stopped, 'trial')} stopped early; ${last.reached} of ${first.reached} came to step ${last.step}. That saved about ${percentOf(1 - spent / whole)} of the steps.`;
}
