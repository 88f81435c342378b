// What a running workload does now: the end of its log, as it is written.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import type { Attempt } from '@/api/engine';
import type { WorkloadDetails } from '@/api/queries';
import { logTail } from '@/pages/workload/log-tail';
import { Card } from '@/ui/page';
import { Failed, Skeleton } from '@/ui/state';

const SHOWN = 8;
const AGAIN = 5000;

export function LogEnd({ workload: w, attempt }: { workload: WorkloadDetails; attempt: Attempt | undefined }) {
  const tail = useQuery({ ...logTail({ workload: w.id, attempt: attempt?.number ?? null, rank: 0 }), enabled: attempt !== undefined });
  const { refetch } = tail;
  // The stream of changes does not tell of log lines.
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && void refetch(), AGAIN);
    return () => clearInterval(timer);
  }, [refetch]);
  const lines = tail.data ?? [];
  return (
    <Card title="Log" actions={<Link className="small" to={`/workloads/${w.id}?tab=logs`}>Full log</Link>}>
      {tail.isError ? (
        <Failed small error={tail.error} what="the log" />
      ) : tail.isLoading ? (
        <Skeleton />
      ) : lines.length === 0 ? (
        <p className="small muted">It has written nothing yet.</p>
      ) : (
        <pre className="log-tail" aria-label="Last lines of the log" tabIndex={0}>
          {lines.slice(-SHOWN).join('\n')}
        </pre>
      )}
    </Card>
  );
}
