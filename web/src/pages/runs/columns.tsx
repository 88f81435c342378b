import { Link } from 'react-router-dom';
import type { Run } from '@/api/runs';
import { mark } from '@/pages/runs/marks';
import { RunStatus, statusWord, Took } from '@/pages/runs/status';
import { metricText, namesIn, ownTags, paramText } from '@/pages/runs/values';
import { IconButton } from '@/ui/button';
import { Pin } from '@/ui/icons';
import { PersonLink, ProjectLink } from '@/ui/links';
import type { Column } from '@/ui/table';
import { Time } from '@/ui/time';

const none = <span className="muted">–</span>;
const clip = (text: string | undefined) => (text === undefined || text === '' ? none : <span className="clip cell-clip" title={text}>{paramText(text)}</span>);
const MOST_USUAL = 4;
const MOST_OFFERED = 60;

export function RunName({ run, pinned }: { run: Run; pinned: boolean }) {
  return (
    <span className="cell-name run-name">
      <Link className="clip strong" to={`/runs/${run.id}`} title={run.name}>
        {run.name}
      </Link>
      <IconButton small label={pinned ? `Take ${run.name} from the top` : `Pin ${run.name} to the top`} aria-pressed={pinned} className={pinned ? 'pin on' : 'pin'} icon={<Pin size={13} />} onClick={() => mark('pinned', [run.id], !pinned)} />
    </span>
  );
}

const fixed = (pinned: Set<string>): Column<Run>[] => [
  { id: 'name', header: 'Run', sort: 'name', cell: (r) => <RunName run={r} pinned={pinned.has(r.id)} />, text: (r) => r.name },
  { id: 'status', header: 'Status', sort: 'status', cell: (r) => <RunStatus run={r} />, text: (r) => statusWord(r.status) },
  { id: 'started', header: 'Started', sort: 'startedAt', cell: (r) => <Time at={r.startedAt} />, text: (r) => r.startedAt },
  { id: 'took', header: 'Took', cell: (r) => <Took run={r} />, text: (r) => (r.endedAt ? (Date.parse(r.endedAt) - Date.parse(r.startedAt)) / 1000 : '') },
  { id: 'by', header: 'By', sort: 'userName', cell: (r) => <span className="clip cell-clip"><PersonLink name={r.userName} /></span>, text: (r) => r.userName },
  { id: 'experiment', header: 'Experiment', cell: (r) => clip(r.experimentName), text: (r) => r.experimentName },
  { id: 'project', header: 'Project', cell: (r) => <ProjectLink id={String(r.projectId)} name={r.projectName} />, text: (r) => r.projectName, extra: true },
  { id: 'workload', header: 'Workload', cell: (r) => (r.workloadId ? <Link className="mono tiny" to={`/workloads/${r.workloadId}`}>{r.workloadId.slice(0, 8)}</Link> : none), text: (r) => r.workloadId, extra: true },
  { id: 'ended', header: 'Ended', sort: 'endedAt', cell: (r) => <Time at={r.endedAt} />, text: (r) => r.endedAt, extra: true },
  { id: 'id', header: 'Id', cell: (r) => <span className="mono tiny">{r.id}</span>, text: (r) => r.id, extra: true },
];

const paramsOf = (r: Run) => r.params as Record<string, string>;
const tagsOf = (r: Run) => r.tags as Record<string, string>;

/** The columns there are: those of every run, and one for each name that the runs have logged. */
export function columnsFor(list: Run[], pinned: Set<string>): Column<Run>[] {
  const metrics = namesIn(list, (r) => r.metrics.map((m) => m.name)).slice(0, MOST_OFFERED);
  const params = namesIn(list, (r) => Object.keys(r.params)).slice(0, MOST_OFFERED);
  const tags = namesIn(list, (r) => ownTags(r).map(([key]) => key)).slice(0, MOST_OFFERED);
  return [
    ...fixed(pinned),
    ...metrics.map((name, index): Column<Run> => {
      const value = (r: Run) => r.metrics.find((m) => m.name === name)?.value as unknown;
      return { id: `metrics.${name}`, header: name, sort: `metrics.${name}`, right: true, extra: index >= MOST_USUAL, cell: (r) => (value(r) === undefined ? none : metricText(value(r))), text: (r) => (value(r) === undefined ? '' : String(value(r))) };
    }),
    ...params.map((name, index): Column<Run> => ({ id: `params.${name}`, header: metrics.includes(name) ? `params.${name}` : name, sort: `params.${name}`, extra: index >= MOST_USUAL, cell: (r) => clip(paramsOf(r)[name]), text: (r) => paramsOf(r)[name] })),
    ...tags.map((name): Column<Run> => ({ id: `tags.${name}`, header: name, sort: `tags.${name}`, extra: true, cell: (r) => clip(tagsOf(r)[name]), text: (r) => tagsOf(r)[name] })),
  ];
}
