// The runs that a workload's program has logged.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useAllowed } from '@/api/queries';
import { runs } from '@/api/runs';
import { Skeleton } from '@/ui/state';

const MOST = 5;

export function TrackedRuns({ id }: { id: string }) {
  const allowed = useAllowed();
  const list = useQuery({ ...runs.list({ workloadId: id, limit: MOST + 1 }), enabled: allowed('trainings'), retry: false });
  const found = list.data?.runs ?? [];
  if (list.isLoading) return <Skeleton lines={1} />;
  if (!list.isSuccess) return <span className="muted">–</span>;
  if (found.length === 0) return <span className="muted">no run</span>;
  return (
    <span className="row wrap">
      {found.slice(0, MOST).map((run) => (
        <Link key={run.id} to={`/runs/${run.id}`}>
          {run.name}
        </Link>
      ))}
      {found.length > MOST ? <span className="muted">and more</span> : null}
    </span>
  );
}
