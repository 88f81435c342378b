import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import { queries, useAllowed, type Node, type NodePool, type Project } from '@/api/queries';
import { reservations } from '@/api/reservations';
import { gpuCount, gpus, plural, unlimited } from '@/lib/quantity';
import { short } from '@/lib/time';
import { Badge } from '@/ui/badge';
import { Workflow } from '@/ui/icons';
import { ProjectLink } from '@/ui/links';
import { Card, Facts, Page } from '@/ui/page';
import { Phase } from '@/ui/phase';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';

const MOST = 500;

export default function PoolPage() {
  const { name = '' } = useParams();
  const pools = useQuery(queries.nodePools);
  const pool = pools.data?.find((one) => one.name === name);
  if (pool) return <Loaded pool={pool} />;
  return (
    <Page title={name}>
      <div className="card card-body">
        {pools.isPending ? <Skeleton lines={5} /> : pools.isError ? <Failed error={pools.error} what="this node pool" /> : <Empty title={`There is no node pool ${name}`} icon={<Workflow size={20} />} action={<Link className="button" to="/node-pools">All node pools</Link>} />}
      </div>
    </Page>
  );
}

const NODES: Column<Node>[] = [
  { id: 'name', header: 'Node', cell: (n) => <Link className="strong" to={`/nodes/${encodeURIComponent(n.name)}`}>{n.name}</Link> },
  { id: 'phase', header: 'Status', cell: (n) => (n.drain ? <Badge tone="wait">No new work</Badge> : <Phase phase={n.status} />) },
  { id: 'gpus', header: 'GPUs', cell: (n) => (n.gpuInfo ? `${n.gpuInfo.gpuCount} × ${n.gpuInfo.gpuType}` : 'none') },
  { id: 'reason', header: 'Why', cell: (n) => n.drain?.reason ?? '–' },
];

const quotaIn = (p: Project, pool: NodePool) => p.resources.find((r) => r.nodePool?.name === pool.name)?.gpu;

const quotas = (pool: NodePool): Column<Project>[] => [
  { id: 'name', header: 'Project', cell: (p) => <ProjectLink id={p.id} name={p.name} /> },
  { id: 'quota', header: 'Quota', right: true, cell: (p) => gpus(quotaIn(p, pool)?.deserved) },
  { id: 'limit', header: 'At most', right: true, cell: (p) => unlimited(quotaIn(p, pool)?.limit) },
];

function Loaded({ pool }: { pool: NodePool }) {
  const allowed = useAllowed();
  const nodes = useQuery({ ...queries.nodes('', 0, MOST), enabled: allowed('nodes') });
  const projects = useQuery(queries.projects);
  const kept = useQuery({ ...reservations, retry: false });
  const here = (nodes.data?.nodes ?? []).filter((n) => n.nodePool === pool.name);
  const total = here.reduce((sum, n) => sum + (n.gpuInfo?.gpuCount ?? 0), 0);
  const given = (projects.data ?? []).filter((p) => (quotaIn(p, pool)?.deserved ?? 0) > 0);
  const promised = given.reduce((sum, p) => sum + (quotaIn(p, pool)?.deserved ?? 0), 0);
  const reserved = (kept.data ?? []).filter((r) => r.nodePool === pool.name && Date.parse(r.end) > Date.now());
  return (
    <Page
      title={pool.name}
      heading={
        <div className="row wrap">
          <Workflow size={20} aria-hidden className="muted" />
          <h1 className="break">{pool.name}</h1>
          {pool.isDefault ? <Badge tone="accent">default</Badge> : null}
          <Phase phase={pool.phase ?? 'Unknown'} />
        </div>
      }
      sub="Node pool"
    >
      <div className="grid">
        <Card title="Pool">
          <Facts
            rows={[
              ['Nodes with the label', <code key="l">{`${pool.labelKey}=${pool.labelValue}`}</code>],
              ['Placement, GPU work', pool.placementStrategy?.gpu === 'spread' ? 'spread over nodes' : 'fill nodes one by one'],
              ['Placement, CPU work', pool.placementStrategy?.cpu === 'spread' ? 'spread over nodes' : 'fill nodes one by one'],
              ...(allowed('nodes') ? ([['GPUs', nodes.data ? `${plural(total, 'GPU')} on ${plural(here.length, 'node')}` : null]] as [string, string | null][]) : []),
              ['Quota given in your view', gpuCount(promised)],
            ]}
          />
        </Card>
        {reserved.length > 0 ? (
          <Card title="Reservations" actions={<Link className="small" to="/reservations">Calendar</Link>}>
            <Facts rows={reserved.map((r): [string, string] => [r.name, `${gpuCount(r.gpu)} for ${r.projectName}, ${short(Date.parse(r.start), Date.now())} to ${short(Date.parse(r.end), Date.now())}`])} />
          </Card>
        ) : null}
        <Card flush title={`Quotas (${given.length})`}>
          {projects.isPending ? <div className="card-body"><Skeleton /></div> : projects.isError ? <Failed small error={projects.error} what="quotas" /> : given.length === 0 ? <p className="card-body small muted">No project has a quota here.</p> : <Table label="Quotas" columns={quotas(pool)} rows={given} rowId={(p) => p.id} />}
        </Card>
      </div>
      {allowed('nodes') ? (
        <Card flush title={`Nodes (${here.length})`}>
          {nodes.isPending ? <div className="card-body"><Skeleton /></div> : nodes.isError ? <Failed small error={nodes.error} what="nodes" /> : here.length === 0 ? <p className="card-body small muted">No node has the label.</p> : <Table label="Nodes" columns={NODES} rows={here} rowId={(n) => n.name} />}
        </Card>
      ) : null}
    </Page>
  );
}
