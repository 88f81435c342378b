// Whether GPUs are free, for everybody: by model, with the quota of the person's projects beside it.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { engine } from '@/api/engine';
import { queries, useAllowed, type Project } from '@/api/queries';
import { gpus } from '@/lib/quantity';
import { QuotaBar } from '@/ui/quota';
import { Card } from '@/ui/page';
import { Failed, Skeleton } from '@/ui/state';
import type { Schemas } from '@/api/client';

type Count = Schemas['GpuModelCount'];

/** "NVIDIA-A100-SXM4-80GB" is shown as "A100-SXM4-80GB". */
const shortModel = (model: string) => model.replace(/^(NVIDIA|Tesla)[ -]/, '').replace(/^GeForce[ -]/, '');

function wordsOf(count: Count): string {
  const more = [
    count.inUse > 0 ? `${count.inUse} in use` : '',
    count.partlyFree > 0 ? `${count.partlyFree} shared, with room` : '',
    count.outOfService > 0 ? `${count.outOfService} out of service` : '',
  ].filter(Boolean);
  return more.join(', ');
}

export function FreeGpus() {
  const counts = useQuery(engine.gpuCounts);
  const allowed = useAllowed();
  const models = [...(counts.data ?? [])].sort((a, b) => b.free - a.free || a.model.localeCompare(b.model));
  return (
    <Card title="Free GPUs now" actions={allowed('nodes') ? <Link className="small" to="/nodes">Nodes and GPUs</Link> : undefined}>
      {counts.isPending ? (
        <Skeleton lines={2} />
      ) : counts.isError ? (
        <Failed small error={counts.error} what="the number of free GPUs" />
      ) : models.length === 0 ? (
        <p className="small muted">This cluster has no GPU.</p>
      ) : (
        <ul className="free-gpus">
          {models.map((count) => (
            <li key={count.model} className={count.free > 0 ? 'free-gpu some' : 'free-gpu'}>
              <span className="free-number num">{count.free}</span>
              <span className="stack none">
                <span className="strong small clip" title={count.model}>
                  of {count.total} × {shortModel(count.model)}
                </span>
                <span className="tiny muted">{wordsOf(count) || 'all free'}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const MOST = 12;

/** What each project of the person may use and uses. */
export function MyQuotas() {
  const allowed = useAllowed();
  const projects = useQuery({ ...queries.projects, enabled: allowed('project') });
  const list = projects.data ?? [];
  if (list.length === 0) return null;
  return (
    <Card title="Quota of my projects" actions={list.length > MOST ? <Link className="small" to="/projects">All {list.length} projects</Link> : undefined}>
      <div className="grid">
        {list.slice(0, MOST).map((p: Project) => (
          <div key={p.id} className="stack close">
            <div className="row between small">
              <Link to={`/projects/${p.id}`} className="strong">
                {p.name}
              </Link>
              <span className="muted num">{gpus(p.status.quotaStatus?.allocated?.gpu ?? 0)} in use</span>
            </div>
            <QuotaBar quota={p.totalResources.gpuQuota ?? 0} status={p.status.quotaStatus} />
          </div>
        ))}
      </div>
    </Card>
  );
}
