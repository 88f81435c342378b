// Everything the plots of a study share: its trials, their fields and ranks, and what is brushed.
import { useMemo, useRef } from 'react';
import type { Study } from '@/api/studies';
import type { Trials } from '@/api/trials';
import { useAddress } from '@/lib/address';
import { maskOf, readRanges, withRanges, writeRanges, type Range } from '@/pages/studies/brush';
import { fieldsOf, metricOf, type Fields } from '@/pages/studies/fields';
import { ranksOf } from '@/pages/studies/sums';

export interface View {
  study: Study;
  trials: Trials;
  fields: Fields;
  metric: string;
  /** By the first objective: 0 the best, 1 the worst. */
  ranks: Float64Array;
  counts: Record<string, number>;
  ranges: Range[];
  mask: Uint8Array | null;
  brush: (more: Range[]) => void;
  setRanges: (ranges: Range[]) => void;
  open: (trial: number) => void;
}

function countsOf(states: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const letter of states) counts[letter] = (counts[letter] ?? 0) + 1;
  return counts;
}

export function useView(study: Study, trials: Trials): View {
  const { params, set } = useAddress();
  const latest = useRef(set);
  latest.current = set;
  const text = params.get('brush') ?? '';
  // The plots need nothing of the study that changes.
  const fields = useMemo(() => fieldsOf(study, trials), [study.id, trials]); // eslint-disable-line
  const ranks = useMemo(() => ranksOf(study, trials, 0), [study.id, trials]); // eslint-disable-line
  const counts = useMemo(() => countsOf(trials.states), [trials]);
  const ranges = useMemo(() => readRanges(text), [text]);
  const mask = useMemo(() => maskOf(fields.all, trials.count, ranges), [fields, trials, ranges]);
  return useMemo(() => {
    const setRanges = (next: Range[]) => latest.current({ brush: writeRanges(next), page: '' });
    return {
      study, trials, fields, metric: metricOf(study), ranks, counts, ranges, mask, setRanges,
      brush: (more: Range[]) => setRanges(withRanges(ranges, more)),
      open: (trial: number) => latest.current({ trial: String(trial) }),
    };
  }, [study, trials, fields, ranks, counts, ranges, mask]); // eslint-disable-line
}
