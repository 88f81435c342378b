// A study as the file that `gpuyard tune` reads, and back to what the API takes. Pure.
import type { Study, StudyParameter } from '@/api/studies';
import { durationText } from '@/lib/time';

type Plain = Record<string, unknown>;

const kept = (object: Plain): Plain => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== null && value !== ''));

/** The short form of a parameter: a range, a list of choices, or a constant. */
function parameterOf(p: StudyParameter): unknown {
  const when = p.when ? { when: { [p.when.parameter]: p.when.values.length === 1 ? p.when.values[0] : p.when.values } } : {};
  if (p.choices && !p.when && p.type !== 'ordinal') return p.choices;
  if (p.value !== undefined && p.value !== null && !p.when) return p.value;
  const { name: _, when: __, ...rest } = p;
  return { ...kept(rest), ...when };
}

export function fileOf(study: Study): Plain {
  const { spec } = study;
  const [only] = spec.objectives;
  const aims = spec.objectives.length === 1 && only ? { metric: only.metric, direction: only.direction, result: only.result } : { objectives: spec.objectives };
  return kept({
    name: study.name,
    ...aims,
    parameters: Object.fromEntries(spec.parameters.map((p) => [p.name, parameterOf(p)])),
    constraints: spec.constraints,
    derived: spec.derived?.length ? Object.fromEntries(spec.derived.map((d) => [d.name, d.expression])) : undefined,
    sampler: spec.sampler,
    pruner: spec.pruner ? kept(spec.pruner) : undefined,
    seed: study.seed,
    trials: study.budget.maxTrials,
    time: study.budget.maxDurationSeconds ? durationText(study.budget.maxDurationSeconds) : undefined,
    gpuHours: study.budget.maxGpuHours,
    repeats: spec.repeats,
    concurrency: spec.concurrency,
    maxFailures: spec.maxFailures,
    pattern: spec.pattern,
    workload: spec.workload,
  });
}
