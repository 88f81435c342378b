import { useQuery } from '@tanstack/react-query';
import { CircleStop, Copy, EllipsisVertical, Hand, LifeBuoy, Play, RotateCcw, Timer, Trash2 } from '@/ui/icons';
import { lazy, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { queries, type WorkloadDetails } from '@/api/queries';
import { ActionDialog, type ActionName } from '@/pages/workload/actions';
import { Attempts } from '@/pages/workload/attempts';
import { Connections } from '@/pages/workload/connections';
import { saveBundle } from '@/pages/workload/bundle';
import { History } from '@/pages/workload/history';
import { Logs } from '@/pages/workload/logs';
import { OpenTool } from '@/pages/workload/open-tool';
import { Overview } from '@/pages/workload/overview';
import { ICONS, isEnded, isRunning, isWaiting, mayRunAgain, useMayAct } from '@/pages/workloads/kinds';
import { Button, IconButton } from '@/ui/button';
import { PersonLink, ProjectLink } from '@/ui/links';
import { Menu } from '@/ui/menu';
import { Page } from '@/ui/page';
import { Phase } from '@/ui/phase';
import { Failed, Skeleton } from '@/ui/state';
import { Tabs, type TabSpec } from '@/ui/tabs';
import { Time } from '@/ui/time';
import { toastError } from '@/ui/toast';

const Metrics = lazy(() => import('@/pages/workload/metrics'));
const Terminal = lazy(() => import('@/pages/workload/terminal'));
const Files = lazy(() => import('@/pages/workload/files'));
const Details = lazy(() => import('@/pages/workload/details'));

export default function WorkloadPage() {
  const { id = '' } = useParams();
  const workload = useQuery(queries.workload(id));
  if (workload.data) return <Loaded workload={workload.data} />;
  return (
    <Page title="Workload">
      <div className="card card-body">{workload.isError ? <Failed error={workload.error} what="this workload" retry={() => void workload.refetch()} /> : <Skeleton lines={6} />}</div>
    </Page>
  );
}

function Loaded({ workload }: { workload: WorkloadDetails }) {
  const [params, setParams] = useSearchParams();
  const tabs: TabSpec[] = [
    { id: 'overview', label: 'Overview', render: () => <Overview workload={workload} /> },
    { id: 'logs', label: 'Logs', render: () => <Logs workload={workload} /> },
    { id: 'history', label: 'History', render: () => <History id={workload.id} /> },
    { id: 'attempts', label: 'Attempts', render: () => <Attempts id={workload.id} /> },
    { id: 'metrics', label: 'Metrics', render: () => <Metrics workload={workload} /> },
    { id: 'terminal', label: 'Terminal', render: () => <Terminal workload={workload} /> },
    { id: 'files', label: 'Files', render: () => <Files workload={workload} /> },
    { id: 'connections', label: 'Connections', render: () => <Connections workload={workload} /> },
    { id: 'details', label: 'Details and YAML', render: () => <Details workload={workload} /> },
  ];
  return (
    <Page title={workload.name} heading={<Heading workload={workload} />} actions={<Actions workload={workload} />}>
      <Tabs label="Parts of the workload" tabs={tabs} value={params.get('tab') ?? 'overview'} onChange={(tab) => setParams(tab === 'overview' ? {} : { tab }, { replace: true })} />
    </Page>
  );
}

function Heading({ workload: w }: { workload: WorkloadDetails }) {
  const Icon = ICONS[w.type];
  return (
    <div className="stack close">
      <div className="row wrap">
        {Icon ? <Icon size={20} aria-hidden className="muted" /> : null}
        <h1 className="break">{w.name}</h1>
        <Phase phase={w.phase} />
      </div>
      <div className="page-sub">
        {w.type} in <ProjectLink id={w.projectId} name={w.projectName} /> · by <PersonLink name={w.submittedBy} /> · submitted <Time at={w.createdAt} />
      </div>
    </div>
  );
}

function Actions({ workload: w }: { workload: WorkloadDetails }) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState<ActionName | null>(null);
  const ask = (name: ActionName) => () => setAsking(name);
  const may = useMayAct();
  const mayChange = may(w.type, 'update');
  const mayCreate = may(w.type, 'create');
  const held = w.conditions.some((c) => /held/i.test(c.reason ?? '') && c.status === 'True');
  return (
    <>
      <OpenTool workload={w} />
      {mayChange && w.phase === 'Stopped' ? (
        <Button tone="primary" icon={<Play size={15} />} onClick={ask('resume')}>
          Resume
        </Button>
      ) : null}
      {mayChange && !isEnded(w.phase) ? (
        <Button icon={<CircleStop size={15} />} onClick={ask('stop')}>
          Stop
        </Button>
      ) : null}
      {mayCreate && mayRunAgain(w.phase) ? (
        <Button icon={<RotateCcw size={15} />} onClick={ask('rerun')}>
          Run again
        </Button>
      ) : null}
      {mayCreate ? (
        <Button icon={<Copy size={15} />} onClick={() => navigate(`/workloads/new?from=${w.id}`)}>
          Clone and edit
        </Button>
      ) : null}
      <Menu
        trigger={<IconButton tone="plain" label="More actions" icon={<EllipsisVertical size={16} />} />}
        entries={[
          mayChange && isRunning(w.phase) && { label: 'Give more time…', icon: <Timer size={15} />, onSelect: ask('extend') },
          mayChange && isWaiting(w.phase) && { label: held ? 'Release…' : 'Hold…', icon: <Hand size={15} />, onSelect: ask(held ? 'release' : 'hold') },
          { label: 'Support bundle', icon: <LifeBuoy size={15} />, onSelect: () => void saveBundle(w).catch(toastError) },
          may(w.type, 'delete') && 'line',
          may(w.type, 'delete') && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: ask('delete') },
        ]}
      />
      {asking ? <ActionDialog action={asking} workload={w} onClose={() => setAsking(null)} after={() => asking === 'delete' && navigate('/workloads')} /> : null}
    </>
  );
}
