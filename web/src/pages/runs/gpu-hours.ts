// GPU-hours of a run: what the attempts of its workload have held until a moment.
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { engine, type Attempt } from '@/api/engine';
import { queries } from '@/api/queries';
import { goesOn, type Run } from '@/api/runs';
import type { HoursAt } from '@/pages/runs/lines';

const HOUR = 3_600_000;
const LIVE = 15_000;

/** `portion`: of each GPU, where the work shares it. */
export function hoursAt(attempts: Attempt[], portion: number): HoursAt {
  const held = attempts.flatMap((a) => {
    const from = Date.parse(a.startedAt ?? a.placedAt);
    return a.gpus.length > 0 && Number.isFinite(from) ? [{ from, to: a.endedAt ? Date.parse(a.endedAt) : Infinity, gpus: a.gpus.length * portion }] : [];
  });
  return (moment) => held.reduce((sum, a) => sum + a.gpus * Math.max(0, Math.min(a.to, moment) - a.from), 0) / HOUR;
}

/** Of every run that was logged from a workload with GPUs. Asked for only where it is shown. */
export function useGpuHours(list: Run[], on: boolean): Map<string, HoursAt> {
  const owned = on ? list.filter((run) => run.workloadId) : [];
  const attempts = useQueries({ queries: owned.map((run) => ({ ...engine.attempts(run.workloadId ?? ''), retry: false, refetchInterval: goesOn(run) ? LIVE : (false as const) })) });
  const workloads = useQueries({ queries: owned.map((run) => ({ ...queries.workload(run.workloadId ?? ''), retry: false })) });
  const key = [...attempts, ...workloads].map((answer) => answer.dataUpdatedAt).join();
  return useMemo(() => {
    const found = new Map<string, HoursAt>();
    owned.forEach((run, i) => {
      const known = attempts[i]?.data;
      const request = workloads[i]?.data?.workloadRequestedResources?.gpu?.request ?? 0;
      if (known?.some((a) => a.gpus.length > 0)) found.set(run.id, hoursAt(known, request > 0 && request < 1 ? request : 1));
    });
    return found;
  }, [key, owned.map((run) => run.id).join()]); // eslint-disable-line
}
