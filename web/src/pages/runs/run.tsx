// One run: what it was told, what it measured, what it left behind.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { queries, useAllowed, type WorkloadDetails } from '@/api/queries';
import { deleteRun, restoreRun, runs, type Run } from '@/api/runs';
import { ActionDialog } from '@/pages/workload/actions';
import { mayRunAgain, useMayAct } from '@/pages/workloads/kinds';
import { Code, commandOf, tagOf } from '@/pages/runs/code';
import { RunFiles } from '@/pages/runs/files';
import { RunStatus, Took } from '@/pages/runs/status';
import { metricText, ownTags } from '@/pages/runs/values';
import { Button } from '@/ui/button';
import { Confirm } from '@/ui/confirm';
import { RotateCcw, Trash2 } from '@/ui/icons';
import { PersonLink, ProjectLink } from '@/ui/links';
import { Card, Facts, Page } from '@/ui/page';
import { Phase } from '@/ui/phase';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { Tabs, type TabSpec } from '@/ui/tabs';
import { FullTime, Time } from '@/ui/time';
import { toast } from '@/ui/toast';
import '@/pages/runs/runs.css';

const Charts = lazy(() => import('@/pages/runs/charts'));
const System = lazy(() => import('@/pages/workload/metrics'));
const Logs = lazy(async () => ({ default: (await import('@/pages/workload/logs')).Logs }));

export default function RunPage() {
  const { id = '' } = useParams();
  const run = useQuery(runs.one(id));
  if (run.data) return <Loaded run={run.data} />;
  return (
    <Page title="Run">
      <div className="card card-body">{run.isError ? <Failed error={run.error} what="this run" retry={() => void run.refetch()} /> : <Skeleton lines={6} />}</div>
    </Page>
  );
}

function Loaded({ run }: { run: Run }) {
  const [params, setParams] = useSearchParams();
  const list = useMemo(() => [run], [run]);
  const workload = useWorkload(run).data;
  const tabs: TabSpec[] = [
    { id: 'charts', label: 'Charts', render: () => <RunCharts list={list} workload={workload} /> },
    { id: 'overview', label: 'Overview', render: () => <Overview run={run} /> },
    ...(workload ? [{ id: 'logs', label: 'Logs', render: () => <Suspense fallback={<Skeleton />}><Logs workload={workload} /></Suspense> }] : []),
    { id: 'files', label: 'Files', render: () => <RunFiles id={run.id} /> },
    { id: 'code', label: 'Code', render: () => <Code run={run} workload={workload} /> },
  ];
  return (
    <Page title={run.name} heading={<Heading run={run} />} actions={<Actions run={run} />}>
      <Tabs label="Parts of the run" tabs={tabs} value={params.get('tab') ?? 'charts'} onChange={(tab) => setParams(tab === 'charts' ? {} : { tab }, { replace: true })} />
    </Page>
  );
}

/** What the program has measured, and below it what the machine has. */
function RunCharts({ list, workload }: { list: Run[]; workload?: WorkloadDetails }) {
  return (
    <div className="stack">
      <Suspense fallback={<Skeleton />}>
        <Charts list={list} />
      </Suspense>
      {workload ? (
        <section className="stack" aria-label="System">
          <h2 className="card-title">System</h2>
          <Suspense fallback={<Skeleton />}>
            <System workload={workload} />
          </Suspense>
        </section>
      ) : null}
    </div>
  );
}

function Heading({ run }: { run: Run }) {
  return (
    <div className="stack close">
      <div className="row wrap">
        <h1 className="break">{run.name}</h1>
        <RunStatus run={run} />
      </div>
      <div className="page-sub">
        {run.experimentName} in <ProjectLink id={String(run.projectId)} name={run.projectName} /> · by <PersonLink name={run.userName} /> · started <Time at={run.startedAt} />
      </div>
    </div>
  );
}

const useWorkload = (run: Run) => useQuery({ ...queries.workload(run.workloadId ?? ''), enabled: Boolean(run.workloadId), retry: false });

function Actions({ run }: { run: Run }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const workload = useWorkload(run).data;
  const may = useMayAct();
  const allowed = useAllowed();
  const [asking, setAsking] = useState<'rerun' | 'move' | null>(null);
  const gone = run.lifecycle === 'deleted';
  const move = async () => {
    await (gone ? restoreRun(run.id) : deleteRun(run.id));
    toast(`${run.name} is ${gone ? 'restored' : 'deleted'}`);
    await client.invalidateQueries({ queryKey: ['run'] });
    if (!gone) navigate('/runs');
  };
  return (
    <>
      {workload && may(workload.type, 'create') && mayRunAgain(workload.phase) ? (
        <Button icon={<RotateCcw size={15} />} onClick={() => setAsking('rerun')}>
          Run again
        </Button>
      ) : null}
      {allowed('trainings', 'delete') ? (
        <Button tone={gone ? 'plain' : 'danger'} icon={gone ? <RotateCcw size={15} /> : <Trash2 size={15} />} onClick={() => setAsking('move')}>
          {gone ? 'Restore' : 'Delete'}
        </Button>
      ) : null}
      {asking === 'rerun' && workload ? <ActionDialog action="rerun" workload={workload} onClose={() => setAsking(null)} after={() => undefined} /> : null}
      {asking === 'move' ? (
        <Confirm title={gone ? `Restore ${run.name}?` : `Delete ${run.name}?`} action={gone ? 'Restore' : 'Delete'} danger={!gone} run={move} onClose={() => setAsking(null)}>
          <p>{gone ? 'It appears in the list again.' : 'It leaves the list. Its metrics and files stay, and it can be restored.'}</p>
        </Confirm>
      ) : null}
    </>
  );
}

type Pair = [name: string, value: string];
const PAIRS: Column<Pair>[] = [
  { id: 'name', header: 'Name', cell: ([name]) => <span className="break">{name}</span> },
  { id: 'value', header: 'Value', cell: ([, value]) => <span className="break num">{value}</span> },
];

function Pairs({ title, pairs, none }: { title: string; pairs: Pair[]; none: string }) {
  return (
    <Card flush title={`${title} (${pairs.length})`}>
      {pairs.length === 0 ? <Empty small title={none} /> : <Table label={title} columns={PAIRS} rows={pairs} rowId={([name]) => name} density="compact" />}
    </Card>
  );
}

const METRICS: Column<Run['metrics'][number]>[] = [
  { id: 'name', header: 'Metric', cell: (m) => <span className="break">{m.name}</span> },
  { id: 'value', header: 'Newest value', right: true, cell: (m) => metricText(m.value) },
  { id: 'step', header: 'Step', right: true, cell: (m) => m.step },
  { id: 'time', header: 'Logged', cell: (m) => <Time at={m.time} /> },
];

function Overview({ run }: { run: Run }) {
  const workload = useWorkload(run);
  const command = commandOf(run);
  const code = tagOf(run, 'mlflow.source.git.commit');
  const pairs = Object.entries(run.params) as Pair[];
  return (
    <div className="stack">
      <div className="grid">
        <Card title="Run">
          <Facts
            rows={[
              ['Id', <code key="i" className="small break">{run.id}</code>],
              ['Experiment', <Link key="e" className="quiet-link" to={`/runs?experiment=${encodeURIComponent(run.experimentId)}`}>{run.experimentName}</Link>],
              ['Started', <FullTime key="s" at={run.startedAt} />],
              [run.status === 'RUNNING' ? 'Runs for' : 'Took', <Took key="t" run={run} />],
              ['Command', command ? <code key="c" className="small break">{command}</code> : null],
              ['Code', code ? <code key="g" className="small break">{code}</code> : null],
            ]}
          />
        </Card>
        <Card title="Workload">
          {!run.workloadId ? (
            <p className="muted">It was not logged from a workload of this server.</p>
          ) : (
            <Facts
              rows={[
                ['Workload', <Link key="w" to={`/workloads/${run.workloadId}`}>{workload.data?.name ?? run.workloadId}</Link>],
                ['Status', workload.data ? <Phase key="p" phase={workload.data.phase} /> : null],
                ['Command', workload.data?.command || workload.data?.arguments ? <code key="c" className="small break">{`${workload.data.command ?? ''} ${workload.data.arguments ?? ''}`.trim()}</code> : null],
                ['Image', workload.data ? (workload.data.images?.length ? workload.data.images.join(', ') : 'none: a plain process on the node') : null],
                ['Nodes', workload.data?.nodes?.join(', ') || null],
              ]}
            />
          )}
        </Card>
      </div>
      <div className="grid">
        <Pairs title="Parameters" pairs={pairs} none="No parameter was logged" />
        <Card flush title={`Metrics (${run.metricCount})`}>
          {run.metrics.length === 0 ? <Empty small title="No metric was logged" /> : <Table label="Metrics" columns={METRICS} rows={run.metrics} rowId={(m) => m.name} density="compact" />}
        </Card>
        <Pairs title="Tags" pairs={ownTags(run)} none="It has no tags" />
      </div>
    </div>
  );
}
