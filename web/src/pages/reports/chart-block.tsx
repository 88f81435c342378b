// A chart of a report, drawn from the runs as they are now.
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { ApiError, isForbidden } from '@/api/client';
import { goesOn, runs, type Run } from '@/api/runs';
import { plural } from '@/lib/quantity';
import { compareAddress } from '@/pages/runs/bulk';
import { useGpuHours } from '@/pages/runs/gpu-hours';
import type { LineLook } from '@/pages/runs/lines';
import { RunChart, type NamedSeries } from '@/pages/runs/run-chart';
import { BarChart, ScatterChart } from '@/pages/runs/scatter';
import { fieldText } from '@/pages/runs/values';
import { readBlock, type ChartBlock } from '@/pages/reports/block';
import { Skeleton } from '@/ui/state';

const ID = /^[0-9a-f]{32}$/;
const MOST_COMPARED = 20;

interface Chosen {
  list: Run[];
  pending: boolean;
  problems: string[];
}

const wordOf = (error: unknown) => (isForbidden(error) ? 'you may not see it' : error instanceof ApiError && error.status === 404 ? 'there is none' : error instanceof Error ? error.message : String(error));

/** Runs by id, or by name in the project of the report; the newest of a name. */
function useNamed(names: string[], projectId: number): Chosen {
  const ids = names.filter((name) => ID.test(name));
  const words = names.filter((name) => !ID.test(name));
  const byId = useQueries({ queries: ids.map((id) => ({ ...runs.one(id), retry: false })) });
  const byName = useQueries({ queries: words.map((name) => runs.list({ filterBy: `name==${name}`, projectId, sortBy: 'startedAt', sortOrder: 'desc', limit: 1 })) });
  const found = new Map<string, Run | undefined>([...ids.map((id, i) => [id, byId[i]?.data] as const), ...words.map((name, i) => [name, byName[i]?.data?.runs[0]] as const)]);
  const answers = [...byId, ...byName];
  return {
    list: names.flatMap((name) => found.get(name) ?? []),
    pending: answers.some((a) => a.isPending),
    problems: [
      ...ids.flatMap((id, i) => (byId[i]?.isError ? [`run ${id.slice(0, 8)}: ${wordOf(byId[i]?.error)}`] : [])),
      ...words.flatMap((name, i) => (byName[i]?.isError ? [`run ${name}: ${wordOf(byName[i]?.error)}`] : byName[i]?.data?.runs.length === 0 ? [`run ${name}: there is none of this name`] : [])),
    ],
  };
}

function useFiltered(chart: ChartBlock, projectId: number, on: boolean): Chosen {
  const falling = chart.sort.startsWith('-');
  const query = { projectId, filterBy: chart.filter, experiment: chart.experiment, sortBy: falling ? chart.sort.slice(1) : chart.sort, sortOrder: falling ? 'desc' : 'asc', limit: chart.limit };
  const asked = useQuery({ ...runs.list(query), enabled: on, retry: false });
  return { list: asked.data?.runs ?? [], pending: on && asked.isPending, problems: asked.isError ? [`the runs cannot be listed: ${wordOf(asked.error)}`] : [] };
}

function useChosen(chart: ChartBlock, projectId: number): Chosen {
  const named = useNamed(chart.runs, projectId);
  const filtered = useFiltered(chart, projectId, chart.runs.length === 0);
  const { list, pending, problems } = chart.runs.length > 0 ? named : filtered;
  const key = list.map((run) => `${run.id} ${run.status} ${run.metrics.map((m) => m.step).join()}`).join();
  const kept = useMemo(() => list, [key]); // eslint-disable-line
  return { list: kept, pending, problems };
}

export default function ChartBlockView({ text, projectId }: { text: string; projectId: number }) {
  const { chart, problems } = useMemo(() => readBlock(text), [text]);
  const chosen = useChosen(chart, projectId);
  const said = [...problems, ...chosen.problems];
  return (
    <figure className="report-chart">
      <figcaption className="row wrap">
        <span className="strong break">{chart.title || chart.metrics.join(', ')}</span>
        <span className="grow" />
        {chosen.list.some(goesOn) ? <span className="badge ok">live</span> : null}
        {chosen.list.length > 0 ? (
          <Link className="small quiet-link" to={compareAddress(chosen.list.slice(0, MOST_COMPARED).map((run) => run.id))}>
            {plural(chosen.list.length, 'run')}
          </Link>
        ) : null}
      </figcaption>
      {said.length > 0 ? (
        <ul className="report-problems small" role="note">
          {said.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      ) : null}
      {problems.length > 0 ? null : chosen.pending ? <Skeleton lines={4} /> : chosen.list.length === 0 ? <p className="muted small">No run matches.</p> : <Drawn chart={chart} list={chosen.list} />}
    </figure>
  );
}

function Drawn({ chart, list }: { chart: ChartBlock; list: Run[] }) {
  if (chart.kind === 'line') return <Lines chart={chart} list={list} />;
  return (
    <>
      {chart.metrics.map((metric) => (
        <div key={metric}>
          {chart.metrics.length > 1 ? <p className="small soft">{metric}</p> : null}
          {chart.kind === 'bar' ? (
            <BarChart list={list} field={`metrics.${metric}`} group={chart.group} />
          ) : (
            <ScatterChart list={list} x={chart.x} y={`metrics.${metric}`} logX={chart.logX} logY={chart.log} />
          )}
        </div>
      ))}
    </>
  );
}

function Lines({ chart, list }: { chart: ChartBlock; list: Run[] }) {
  const charts = useQuery(runs.charts(list.map((run) => run.id), chart.metrics, chart.axis === 'step' ? 'step' : 'time', list.some(goesOn)));
  const hours = useGpuHours(list, chart.axis === 'gpu');
  const look: LineLook = useMemo(() => ({ axis: chart.axis, smoothing: chart.smoothing, log: chart.log, logX: chart.logX }), [chart]);
  const lines = useMemo(() => {
    const place = new Map(list.map((run, index) => [run.id, { run, index }]));
    return (charts.data ?? []).flatMap((series): (NamedSeries & { metric: string })[] => {
      const found = place.get(series.runId);
      if (!found) return [];
      const { run, index } = found;
      return [{ metric: series.metric, label: run.name, index, series, hours: hours.get(run.id), ...(chart.group ? { group: fieldText(run, chart.group) } : {}) }];
    });
  }, [charts.data, list, hours, chart.group]);
  if (charts.isPending) return <Skeleton lines={4} />;
  if (charts.isError) return <p className="muted small">{wordOf(charts.error)}</p>;
  return (
    <>
      {chart.metrics.map((metric) => {
        const own = lines.filter((line) => line.metric === metric);
        return (
          <div key={metric}>
            {chart.metrics.length > 1 ? <p className="small soft">{metric}</p> : null}
            {own.length === 0 ? <p className="muted small">None of these runs has logged {metric}.</p> : <RunChart label={`${metric} of ${plural(own.length, 'run')}`} lines={own} look={look} height={260} />}
          </div>
        );
      })}
    </>
  );
}
