// A command line cannot say everything that a workload can. What it leaves out stays as it was.
import { isObject, type Spec } from '@/lib/paths';
import { fromCli, toCli } from '@/pages/new-workload/cli';
import type { Draft } from '@/pages/new-workload/draft';
import type { Parsed } from '@/pages/new-workload/yaml';

/** The parts of `whole` that `said` does not hold; null when there are none. */
function rest(whole: Spec, said: Spec): Spec | null {
  const left: Spec = {};
  for (const [key, value] of Object.entries(whole)) {
    const other = said[key];
    if (value === undefined) continue;
    if (other === undefined) left[key] = value;
    else if (isObject(value) && isObject(other)) {
      const inner = rest(value, other);
      if (inner) left[key] = inner;
    }
  }
  return Object.keys(left).length > 0 ? left : null;
}

function joined(said: Spec, kept: Spec): Spec {
  const all: Spec = { ...said };
  for (const [key, value] of Object.entries(kept)) {
    const own = said[key];
    all[key] = isObject(value) && isObject(own) ? joined(own, value) : (own ?? value);
  }
  return all;
}

/** What the command line of a draft has no words for. */
export function unsaid(draft: Draft): Spec {
  const line = toCli(draft);
  const read = line === null ? null : fromCli(line);
  return read?.ok ? (rest(draft.spec, read.draft.spec) ?? {}) : {};
}

/** The draft that an edited line means, with all that lines cannot say taken from the one before. */
export function fromEditedCli(line: string, before: Draft): Parsed {
  const parsed = fromCli(line);
  return parsed.ok ? { ok: true, draft: { ...parsed.draft, spec: joined(parsed.draft.spec, unsaid(before)) } } : parsed;
}

/** "exposedUrls", "compute.gpuCompute": for people. */
export function namesOf(spec: Spec, before = ''): string[] {
  return Object.entries(spec).flatMap(([key, value]) => (isObject(value) ? namesOf(value, `${before}${key}.`) : [`${before}${key}`]));
}
