// Several runs side by side: their lines in one chart, what differs in their parameters.
import { useQueries } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { runs, metricsOf, type Run } from '@/api/runs';
import { useAddress } from '@/lib/address';
import { plural } from '@/lib/quantity';
import { colorOf } from '@/pages/runs/run-chart';
import { RunStatus } from '@/pages/runs/status';
import { differing, metricText, namesIn } from '@/pages/runs/values';
import { Check } from '@/ui/field';
import { Tabs } from '@/ui/tabs';
import { GitCompare } from '@/ui/icons';
import { Card, Page } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Elapsed, Time } from '@/ui/time';
import '@/pages/runs/runs.css';

const Charts = lazy(() => import('@/pages/runs/charts'));
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
    <Page title="Compare runs" sub={list.length > 0 ? `${plural(list.length, 'run')} of ${[...new Set(list.map((r) => r.projectName))].join(', ')}` : undefined}>
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
              { id: 'params', label: 'Parameters', render: () => <Params list={kept} /> },
              { id: 'metrics', label: 'Metrics', render: () => <Metrics list={kept} /> },
            ]}
          />
        </>
      )}
    </Page>
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

function Side({ list, rows, label }: { list: Run[]; rows: { name: string; values: (string | undefined)[]; differs: boolean }[]; label: string }) {
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
                <td key={index} className="num">
                  {value === undefined ? <span className="muted">–</span> : <span className="break">{value}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Params({ list }: { list: Run[] }) {
  const { params, set } = useAddress();
  const all = params.get('same') === '1';
  const different = new Set(differing(list));
  const names = namesIn(list, (run) => Object.keys(run.params)).filter((name) => all || different.has(name));
  const rows = names.map((name) => ({ name, values: list.map((run) => (run.params as Record<string, string>)[name]), differs: different.has(name) }));
  return (
    <Card flush title={all ? 'All parameters' : 'Parameters that differ'} actions={<Check label="Also those that are equal" checked={all} onChange={(on) => set({ same: on ? '1' : '' })} />}>
      {rows.length === 0 ? <Empty small title="No parameter differs" /> : <Side list={list} rows={rows} label="Parameter" />}
    </Card>
  );
}

function Metrics({ list }: { list: Run[] }) {
  const metrics = list.map(metricsOf);
  const names = namesIn(list, (run) => run.metrics.map((m) => m.name));
  const facts = [
    { name: 'Started', cell: (run: Run) => <Time key={run.id} at={run.startedAt} /> },
    { name: 'Took', cell: (run: Run) => <Elapsed key={run.id} from={run.startedAt} to={run.endedAt} /> },
  ];
  const rows = names.map((name) => ({ name, values: metrics.map((m) => (m.has(name) ? metricText(m.get(name)?.value) : undefined)), differs: false }));
  return (
    <Card flush title="Newest values">
      <Side list={list} rows={rows} label="Metric" />
      <div className="card-body row wrap">
        {facts.map((fact) => (
          <span key={fact.name} className="small soft">
            {fact.name}: {list.map((run, i) => <span key={run.id}>{i > 0 ? ' · ' : ''}{fact.cell(run)}</span>)}
          </span>
        ))}
      </div>
    </Card>
  );
}
