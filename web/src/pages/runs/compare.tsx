// Several runs side by side: their lines in one chart, what differs in their parameters.
import { useQueries } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { runs, metricsOf, type Run } from '@/api/runs';
import { useAddress } from '@/lib/address';
import { plural } from '@/lib/quantity';
import { aimOf, bestOf, type Aim } from '@/pages/runs/plots';
import { BarsTab, ScatterTab } from '@/pages/runs/plane';
import { colorOf } from '@/pages/runs/run-chart';
import { SavedViews } from '@/pages/runs/saved-views';
import { RunStatus, Took } from '@/pages/runs/status';
import { differing, metricText, namesIn, paramText } from '@/pages/runs/values';
import { Check } from '@/ui/field';
import { Tabs } from '@/ui/tabs';
import { GitCompare, ScrollText } from '@/ui/icons';
import { Card, Page } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Time } from '@/ui/time';
import '@/pages/runs/runs.css';

const Charts = lazy(() => import('@/pages/runs/charts'));
const Media = lazy(() => import('@/pages/runs/media'));
const MOST = 20;

export default function Compare() {
  const { params, set } = useAddress();
  const ids = [...new Set(params.getAll('run'))].slice(0, MOST);
  const answers = useQueries({ queries: ids.map((id) => runs.one(id)) });
  const list = answers.flatMap((a) => (a.data ? [a.data] : []));
  const key = answers.map((a) => a.dataUpdatedAt).join();
  const kept = useMemo(() => list, [key]); // eslint-disable-line
  const failed = answers.find((a) => a.isError);
  return (
    <Page title="Compare runs" sub={list.length > 0 ? `${plural(list.length, 'run')} of ${[...new Set(list.map((r) => r.projectName))].join(', ')}` : undefined} actions={<CompareActions list={kept} />}>
      {failed ? <Card><Failed small error={failed.error} what="one of the runs" /></Card> : null}
      {ids.length === 0 ? (
        <Card>
          <Empty title="Nothing to compare" icon={<GitCompare size={20} />} action={<Link className="button" to="/runs">To the runs</Link>}>
            Choose two or more runs in the list, then “Compare”.
          </Empty>
        </Card>
      ) : answers.some((a) => a.isPending) ? (
        <Skeleton lines={6} />
      ) : (
        <>
          <Legend list={kept} />
          <Tabs
            label="Parts of the comparison"
            value={params.get('tab') ?? 'charts'}
            onChange={(tab) => set({ tab: tab === 'charts' ? '' : tab })}
            tabs={[
              { id: 'charts', label: 'Charts', render: () => <Suspense fallback={<Skeleton />}><Charts list={kept} /></Suspense> },
              { id: 'scatter', label: 'Scatter', render: () => <ScatterTab list={kept} /> },
              { id: 'bars', label: 'Bars', render: () => <BarsTab list={kept} /> },
              { id: 'params', label: 'Parameters', render: () => <Params list={kept} /> },
              { id: 'metrics', label: 'Metrics', render: () => <Metrics list={kept} /> },
              { id: 'media', label: 'Media', render: () => <Suspense fallback={<Skeleton />}><Media list={kept} what="pictures" /></Suspense> },
              { id: 'files', label: 'Files', render: () => <Suspense fallback={<Skeleton />}><Media list={kept} what="files" /></Suspense> },
            ]}
          />
        </>
      )}
    </Page>
  );
}

/** The view under a name, and the same charts in a report. */
function CompareActions({ list }: { list: Run[] }) {
  const { params } = useAddress();
  if (list.length === 0) return null;
  const project = String(list[0]?.projectId ?? '');
  const metrics = namesIn(list, (run) => run.metrics.map((m) => m.name)).slice(0, 4);
  const draft = new URLSearchParams({ project, runs: list.map((run) => run.id).join(), metrics: metrics.join() });
  for (const key of ['axis', 'smooth', 'log', 'logx', 'group']) if (params.get(key)) draft.set(key, params.get(key) as string);
  return (
    <>
      <SavedViews page="compare" projectId={project} query={() => params.toString()} />
      <Link className="button" to={`/reports/new?${draft}`}>
        <ScrollText size={15} aria-hidden /> Write a report
      </Link>
    </>
  );
}

function Legend({ list }: { list: Run[] }) {
  return (
    <ul className="run-legend row wrap" aria-label="Runs">
      {list.map((run, index) => (
        <li key={run.id} className="row">
          <span className="run-swatch" aria-hidden style={{ background: colorOf(index) }} />
          <Link className="quiet-link clip" to={`/runs/${run.id}`}>
            {run.name}
          </Link>
          <RunStatus run={run} />
        </li>
      ))}
    </ul>
  );
}

interface SideRow {
  name: string;
  values: (string | undefined)[];
  /** What is no text, in place of the values. */
  cells?: ReactNode[];
  differs: boolean;
  /** Values that are not those of the best run. */
  other?: boolean[];
}

function Side({ list, rows, label, best }: { list: Run[]; rows: SideRow[]; label: string; best?: string }) {
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label={label}>
      <table className="table compact side">
        <thead>
          <tr>
            <th scope="col">{label}</th>
            {list.map((run, index) => (
              <th key={run.id} scope="col">
                <span className="row">
                  <span className="run-swatch" aria-hidden style={{ background: colorOf(index) }} />
                  <span className="clip">{run.name}</span>
                  {run.id === best ? <span className="badge ok">best</span> : null}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} className={row.differs ? 'differs' : undefined}>
              <th scope="row" className="break">
                {row.name}
              </th>
              {row.values.map((value, index) => (
                <td key={index} className={row.other?.[index] ? 'num other' : 'num'}>
                  {row.cells ? row.cells[index] : value === undefined ? <span className="muted">–</span> : <span className="break" title={value}>{paramText(value)}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Which run is the best, by a metric and what is wanted of it; both stand in the address. */
function useBest(list: Run[]) {
  const { params, set } = useAddress();
  const metrics = namesIn(list, (run) => run.metrics.map((m) => m.name));
  const metric = params.get('by') ?? metrics[0] ?? '';
  const aim = (params.get('aim') as Aim | null) ?? aimOf(metric);
  return { metrics, metric, aim, set, best: metric ? bestOf(list, `metrics.${metric}`, aim) : null };
}

function BestChoice({ choice: { metrics, metric, aim, set } }: { choice: ReturnType<typeof useBest> }) {
  if (metrics.length === 0) return null;
  return (
    <>
      <label className="row small soft nowrap">
        Best by
        <select className="select narrow" value={metric} onChange={(e) => set({ by: e.target.value, aim: '' })}>
          {metrics.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <select className="select auto" aria-label="The best is" value={aim} onChange={(e) => set({ aim: e.target.value })}>
        <option value="least">least</option>
        <option value="greatest">greatest</option>
      </select>
    </>
  );
}

function Params({ list }: { list: Run[] }) {
  const { params, set } = useAddress();
  const choice = useBest(list);
  const all = params.get('same') === '1';
  const different = new Set(differing(list));
  const names = namesIn(list, (run) => Object.keys(run.params)).filter((name) => all || different.has(name));
  const valueOf = (run: Run, name: string) => (run.params as Record<string, string>)[name];
  const rows = names.map((name) => ({
    name,
    values: list.map((run) => valueOf(run, name)),
    differs: different.has(name) && choice.best === null,
    other: choice.best ? list.map((run) => valueOf(run, name) !== valueOf(choice.best as Run, name)) : undefined,
  }));
  return (
    <Card
      flush
      title={all ? 'All parameters' : 'Parameters that differ'}
      actions={
        <>
          <BestChoice choice={choice} />
          <Check label="Also those that are equal" checked={all} onChange={(on) => set({ same: on ? '1' : '' })} />
        </>
      }
    >
      {rows.length === 0 ? <Empty small title="No parameter differs" /> : <Side list={list} rows={rows} label="Parameter" best={choice.best?.id} />}
    </Card>
  );
}

function Metrics({ list }: { list: Run[] }) {
  const metrics = list.map(metricsOf);
  const names = namesIn(list, (run) => run.metrics.map((m) => m.name));
  const facts: SideRow[] = [
    { name: 'Started', values: list.map(() => undefined), cells: list.map((run) => <Time key={run.id} at={run.startedAt} />), differs: false },
    { name: 'Took', values: list.map(() => undefined), cells: list.map((run) => <Took key={run.id} run={run} />), differs: false },
  ];
  const rows = names.map((name) => ({ name, values: metrics.map((m) => (m.has(name) ? metricText(m.get(name)?.value) : undefined)), differs: false }));
  return (
    <Card flush title="Newest values">
      <Side list={list} rows={[...rows, ...facts]} label="Metric" />
    </Card>
  );
}
