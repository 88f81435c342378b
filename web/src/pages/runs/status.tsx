import type { Run } from '@/api/runs';
import { Badge, type Tone } from '@/ui/badge';
import { Elapsed } from '@/ui/time';

const LOOK: Record<Run['status'], [Tone, string]> = {
  RUNNING: ['ok', 'Running'],
  SCHEDULED: ['wait', 'Scheduled'],
  FINISHED: ['done', 'Finished'],
  FAILED: ['bad', 'Failed'],
  KILLED: ['still', 'Killed'],
};
export const STATUSES = Object.keys(LOOK) as Run['status'][];
export const statusWord = (status: string) => LOOK[status as Run['status']]?.[1] ?? status;

export function RunStatus({ run }: { run: Run }) {
  const [tone, word] = LOOK[run.status];
  return <Badge tone={run.lifecycle === 'deleted' ? 'still' : tone}>{run.lifecycle === 'deleted' ? 'Deleted' : word}</Badge>;
}

/** A run that has ended without saying when took nobody knows how long. */
export function Took({ run }: { run: Run }) {
  return run.endedAt || run.status === 'RUNNING' ? <Elapsed from={run.startedAt} to={run.endedAt} /> : <span className="muted">–</span>;
}
