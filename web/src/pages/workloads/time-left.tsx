// How long a workload may still run, where a limit is known.
import type { Workload } from '@/api/queries';
import { duration, parseTime } from '@/lib/time';
import { useNow } from '@/ui/time';

type Some = Pick<Workload, 'phase' | 'phaseUpdatedAt' | 'timeLimitSeconds' | 'stopAt'>;

/** Milliseconds; null without a limit. The limit counts from the start of the attempt. */
export function endsBy(w: Some, startedAt: string | null | undefined = w.phaseUpdatedAt): number | null {
  const start = parseTime(startedAt);
  const limit = w.timeLimitSeconds && start !== null ? start + w.timeLimitSeconds * 1000 : null;
  const clock = parseTime(w.stopAt);
  return limit !== null && clock !== null ? Math.min(limit, clock) : (limit ?? clock);
}

const SOON = 15 * 60;

export function TimeLeft({ workload, startedAt }: { workload: Some; startedAt?: string | null }) {
  const now = useNow();
  const end = workload.phase === 'Running' ? endsBy(workload, startedAt ?? workload.phaseUpdatedAt) : null;
  if (end === null) return null;
  const left = Math.max(0, (end - now) / 1000);
  return left < SOON ? <span className="badge wait">{duration(left)} left</span> : <span className="muted small nowrap">· {duration(left)} left</span>;
}
