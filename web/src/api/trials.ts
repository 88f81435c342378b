// The trials of a study as columns of numbers, so that 50,000 of them are quick to go through. Pure.
import type { Schemas } from '@/api/client';

/** Not a number: unknown, not measured, or no such parameter in this trial. */
export interface Trials {
  count: number;
  /** R, C, P or F for each trial. */
  states: string;
  values: Float64Array[];
  parameters: Map<string, Float64Array>;
  repeatOf: Float64Array;
  /** The stopped trial whose place it took, and the one whose checkpoint it started from. */
  continues: Float64Array;
  resumesFrom: Float64Array;
  steps: Float64Array;
  lasts: Float64Array;
  started: Float64Array;
  ended: Float64Array;
  gpuHours: Float64Array;
}

type Numbers = readonly (number | null)[];

export const STATES = ['Running', 'Complete', 'Pruned', 'Failed'] as const;
export type TrialState = (typeof STATES)[number];
export const stateAt = (trials: Trials, index: number): TrialState => STATES.find((word) => word[0] === trials.states[index]) ?? 'Failed';
export const isComplete = (trials: Trials, index: number) => trials.states[index] === 'C';

function joined(before: Float64Array | undefined, from: number, more: Numbers): Float64Array {
  const all = new Float64Array(from + more.length);
  if (before) all.set(before.subarray(0, from));
  for (let i = 0; i < more.length; i++) all[from + i] = more[i] ?? NaN;
  return all;
}

/** The known trials, with a newer part in the place of its own and all after them. */
export function extended(before: Trials | null, part: Schemas['StudyColumns']): Trials {
  const from = Math.min(part.from, before?.count ?? 0);
  const join = (known: Float64Array | undefined, more: unknown) => joined(known, from, more as Numbers);
  return {
    count: from + part.states.length,
    states: (before?.states ?? '').slice(0, from) + part.states,
    values: part.values.map((column, i) => join(before?.values[i], column)),
    parameters: new Map(part.parameters.map(({ name, values }) => [name, join(before?.parameters.get(name), values)])),
    repeatOf: join(before?.repeatOf, part.repeatOf),
    continues: join(before?.continues, part.continues),
    resumesFrom: join(before?.resumesFrom, part.resumesFrom),
    steps: join(before?.steps, part.steps),
    lasts: join(before?.lasts, part.lasts),
    started: join(before?.started, part.started),
    ended: join(before?.ended, part.ended),
    gpuHours: join(before?.gpuHours, part.gpuHours),
  };
}

/** The first trial that may still change; those before it are as they will be. */
export function firstOpen(trials: Trials): number {
  const running = trials.states.indexOf('R');
  return running < 0 ? trials.count : running;
}

/** Indexes, at most `most`, evenly over all that `wanted` takes. */
export function sampled(count: number, most: number, wanted: (index: number) => boolean): number[] {
  const all: number[] = [];
  for (let i = 0; i < count; i++) if (wanted(i)) all.push(i);
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)] as number);
}
