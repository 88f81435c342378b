// All studies that one may see, the newest first.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { useAllowed } from '@/api/queries';
import { gpuHoursOf, studies, type Study } from '@/api/studies';
import { toQuery, type ListState } from '@/lib/filter';
import { hoursOf } from '@/lib/quantity';
import { number } from '@/pages/runs/values';
import { metricOf } from '@/pages/studies/fields';
import { TrialsBar } from '@/pages/studies/overview';
import { useProjectNames } from '@/pages/studies/project';
import { StudyState } from '@/pages/studies/state';
import { useProject } from '@/shell/project';
import { Target } from '@/ui/icons';
import { Pager, SearchBox, useListState } from '@/ui/list';
import { PersonLink, ProjectLink } from '@/ui/links';
import { Page } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { Elapsed, Time } from '@/ui/time';
import '@/pages/studies/studies.css';

const USUAL: Partial<ListState> = { sort: 'createdAt', descending: true };
const STATES = ['Running', 'Paused', 'Completed', 'Stopped'] as const;
const none = <span className="muted">–</span>;

function BestCell({ study }: { study: Study }) {
  const values = study.best?.values ?? [];
  if (values.length === 0) return none;
  return (
    <span className="stack none">
      <span className="strong num">{number(values[0] as number)}</span>
      <span className="tiny soft clip">{metricOf(study)}{study.spec.objectives.length > 1 ? `, first of ${study.spec.objectives.length} aims` : ''}</span>
    </span>
  );
}

function ProgressCell({ study }: { study: Study }) {
  const most = study.budget.maxTrials;
  return (
    <span className="study-progress">
      <TrialsBar study={study} />
      <span className="num tiny soft nowrap">
        {study.trials.configurations.toLocaleString('en')}
        {most ? ` of ${most.toLocaleString('en')}` : ''}
      </span>
    </span>
  );
}

const columnsOf = (projectName: (id: string) => string): Column<Study>[] => [
  { id: 'name', header: 'Study', sort: 'name', cell: (s) => <span className="cell-name"><Link className="clip strong" to={`/studies/${s.id}`} title={s.name}>{s.name}</Link></span> },
  { id: 'state', header: 'State', sort: 'state', cell: (s) => <StudyState state={s.state} /> },
  { id: 'progress', header: 'Configurations', cell: (s) => <ProgressCell study={s} /> },
  { id: 'best', header: 'Best', cell: (s) => <BestCell study={s} /> },
  { id: 'project', header: 'Project', cell: (s) => <ProjectLink id={s.projectId} name={projectName(s.projectId)} /> },
  { id: 'by', header: 'By', sort: 'createdBy', cell: (s) => <span className="clip cell-clip"><PersonLink name={s.createdBy} /></span> },
  { id: 'gpu', header: 'GPU-hours', right: true, cell: (s) => (gpuHoursOf(s) === null ? none : <span className="num" title="Of trials that have ended">{hoursOf(s.gpuHours)}</span>) },
  { id: 'began', header: 'Began', sort: 'createdAt', cell: (s) => <Time at={s.createdAt} /> },
  { id: 'took', header: 'Took', cell: (s) => <Elapsed from={s.createdAt} to={s.endedAt} /> },
];

export default function Studies() {
  const [state, change] = useListState(USUAL);
  const [project] = useProject();
  const names = useProjectNames();
  const allowed = useAllowed();
  const chosen = state.any.state?.[0] ?? '';
  const query = useMemo(() => {
    const asked = toQuery(state, { state: STATES });
    const filters = [asked.filterBy, project ? `projectId==${project}` : ''].filter(Boolean).join(',');
    return { ...asked, ...(filters ? { filterBy: filters } : {}) };
  }, [state, project]);
  const list = useQuery(studies.list({ ...query }));
  const rows = list.data?.studies ?? [];
  const columns = columnsOf(names);
  const create = allowed('trainings', 'create') ? (
    <Link className="button primary" to="/studies/new">
      New study
    </Link>
  ) : null;
  return (
    <Page title="Studies" sub="Searches for the best parameters. A study with a command makes a workload of each trial; other studies are told by a program." actions={rows.length > 0 ? create : null}>
      <div className="toolbar">
        <SearchBox label="Search studies" value={state.search} onChange={(search) => change({ search })} />
        <select className="select auto" aria-label="State" value={chosen} onChange={(e) => change({ any: { state: e.target.value ? [e.target.value] : [] }, page: 0 })}>
          <option value="">All states</option>
          {STATES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </div>
      <section className="card" aria-busy={list.isPlaceholderData}>
        {list.isPending ? (
          <div className="card-body">
            <Skeleton lines={5} />
          </div>
        ) : list.isError ? (
          <Failed error={list.error} what="studies" retry={() => void list.refetch()} />
        ) : rows.length === 0 ? (
          state.search || chosen ? (
            <Empty title="No study matches">Take a filter away, or look in another project.</Empty>
          ) : (
            <Empty title="No study yet" icon={<Target size={20} />} action={create}>
              A study runs a command again and again with other parameters and learns which to try next. <code>gpuyard tune study.yaml</code> begins one, too.
            </Empty>
          )
        ) : (
          <Table label="Studies" columns={columns} rows={rows} rowId={(s) => s.id} order={state} onOrder={change} />
        )}
        <Pager state={state} onChange={change} total={list.data?.total} shown={rows.length} />
      </section>
    </Page>
  );
}
