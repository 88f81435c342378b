import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import { queries, useAllowed, type Project } from '@/api/queries';
import { reservations } from '@/api/reservations';
import { useMayAct } from '@/pages/workloads/kinds';
import { gpuCount, gpus, unlimited } from '@/lib/quantity';
import { short, duration } from '@/lib/time';
import { messageWords } from '@/lib/reasons';
import { MONTH, MonthCard, WorkCard } from '@/pages/objects/parts';
import { Badge } from '@/ui/badge';
import { FolderKanban } from '@/ui/icons';
import { PersonLink } from '@/ui/links';
import { Card, Facts, Page } from '@/ui/page';
import { QuotaBar } from '@/ui/quota';
import { Empty, Failed, Notice, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';

type Quota = Project['resources'][number];

export default function ProjectPage() {
  const { id = '' } = useParams();
  const projects = useQuery(queries.projects);
  const project = projects.data?.find((one) => one.id === id || one.name === id);
  if (project) return <Loaded project={project} />;
  return (
    <Page title="Project">
      <div className="card card-body">
        {projects.isPending ? <Skeleton lines={5} /> : projects.isError ? <Failed error={projects.error} what="this project" /> : <Empty title="There is no such project in your view" icon={<FolderKanban size={20} />} action={<Link className="button" to="/projects">All projects</Link>} />}
      </div>
    </Page>
  );
}

const POOLS: Column<Quota>[] = [
  { id: 'pool', header: 'Node pool', cell: (r) => <Link to={`/node-pools/${encodeURIComponent(r.nodePool?.name ?? '')}`}>{r.nodePool?.name}</Link> },
  { id: 'quota', header: 'Quota', right: true, cell: (r) => gpus(r.gpu.deserved) },
  { id: 'limit', header: 'At most', right: true, cell: (r) => unlimited(r.gpu.limit) },
  { id: 'weight', header: 'Weight', right: true, cell: (r) => gpus(r.gpu.overQuotaWeight) },
];

const limitWords = (seconds: number | null | undefined) => (seconds ? duration(seconds) : 'none');

function Loaded({ project: p }: { project: Project }) {
  const rules = p.schedulingRules;
  const may = useMayAct();
  return (
    <Page
      title={p.name}
      heading={
        <div className="row wrap">
          <FolderKanban size={20} aria-hidden className="muted" />
          <h1 className="break">{p.name}</h1>
        </div>
      }
      sub={`Project${p.parent?.name ? ` of the department ${p.parent.name}` : ''}${p.description ? ` · ${p.description}` : ''}`}
      actions={
        may('Training', 'create') || may('Workspace', 'create') ? (
          <Link className="button primary" to={`/workloads/new?project=${p.id}`}>
            New workload here
          </Link>
        ) : null
      }
    >
      <div className="grid">
        <Card title="Quota">
          <div className="stack">
            {p.status.phaseMessage ? <Notice tone="wait">{messageWords(p.status.phaseMessage)}</Notice> : null}
            <QuotaBar quota={p.totalResources.gpuQuota ?? 0} status={p.status.quotaStatus} />
            <Table label="Quota by node pool" columns={POOLS} rows={p.resources} rowId={(r) => r.nodePool?.name ?? ''} />
          </div>
        </Card>
        <Card title="Rules">
          <Facts
            rows={[
              ['Workspaces, time limit', limitWords(rules?.interactiveJobTimeLimitSeconds)],
              ['Workspaces, stop when idle for', limitWords(rules?.interactiveJobMaxIdleDurationSeconds)],
              ['Trainings, time limit', limitWords(rules?.trainingJobTimeLimitSeconds)],
              ['Trainings, stop when idle for', limitWords(rules?.trainingJobMaxIdleDurationSeconds)],
            ]}
          />
        </Card>
        <Members project={p} />
        <MonthCard by="user" project={p.name} title={`GPU-hours by person, ${MONTH.key}`} to={(name) => `/users/${encodeURIComponent(name)}`} />
        <Kept project={p} />
      </div>
      <WorkCard title="Running and waiting" filter={`projectId==${p.id}`} all={`/workloads?project=${p.id}`} show={['name', 'phase', 'for', 'gpu', 'where', 'by']} which="active" />
      <WorkCard title="Failed" filter={`projectId==${p.id}`} all={`/workloads?project=${p.id}&is.phase=Failed`} show={['name', 'phase', 'gpu', 'by', 'created']} which="failed" />
    </Page>
  );
}

/** People and programs with a role here, or above. */
function Members({ project: p }: { project: Project }) {
  const allowed = useAllowed();
  const rules = useQuery({ ...queries.accessRules, enabled: allowed('access_rules') });
  if (!allowed('access_rules')) return null;
  const here = (rules.data ?? []).filter((r) => (r.scopeType === 'project' ? r.scopeId === p.id : r.scopeType === 'department' && r.scopeId === p.parentId));
  return (
    <Card title={`Members${rules.data ? ` (${new Set(here.map((r) => r.subjectId)).size})` : ''}`} actions={<Link className="small" to={`/access-rules?q=${encodeURIComponent(p.name)}`}>Access rules</Link>}>
      {rules.isPending ? (
        <Skeleton />
      ) : rules.isError ? (
        <Failed small error={rules.error} what="access rules" />
      ) : here.length === 0 ? (
        <p className="small muted">Nobody has a role in this project alone. Roles for the whole tenant are under Access rules.</p>
      ) : (
        <ul className="stack tight">
          {here.map((r) => (
            <li key={r.id} className="row between small">
              {r.subjectType === 'user' ? <PersonLink name={r.subjectId} /> : <span className="clip">{r.subjectId}</span>}
              <Badge tone={r.scopeType === 'department' ? 'still' : 'accent'}>{r.roleName}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Kept({ project: p }: { project: Project }) {
  const list = useQuery({ ...reservations, retry: false });
  const here = (list.data ?? []).filter((r) => r.projectId === p.id && Date.parse(r.end) > Date.now());
  if (here.length === 0) return null;
  return (
    <Card title="Reservations" actions={<Link className="small" to="/reservations">Calendar</Link>}>
      <Facts rows={here.map((r): [string, string] => [r.name, `${gpuCount(r.gpu)} of ${r.nodePool ?? 'the first pool'}, ${short(Date.parse(r.start), Date.now())} to ${short(Date.parse(r.end), Date.now())}`])} />
    </Card>
  );
}
