// The charts of one or several runs: which metrics, along which axis, how smooth.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { goesOn, runs, type Run } from '@/api/runs';
import { useAddress } from '@/lib/address';
import { plural } from '@/lib/quantity';
import { groupFields } from '@/pages/runs/filters';
import { useGpuHours } from '@/pages/runs/gpu-hours';
import type { Axis, LineLook } from '@/pages/runs/lines';
import { RunChart, type NamedSeries } from '@/pages/runs/run-chart';
import { fieldText, namesIn } from '@/pages/runs/values';
import { Button } from '@/ui/button';
import { Check, Segments } from '@/ui/field';
import { ChartLine } from '@/ui/icons';
import { SearchBox } from '@/ui/list';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';

const PER_PAGE = 12;

const AXES: [Axis, string][] = [
  ['step', 'Step'],
  ['relative', 'Run time'],
  ['time', 'Clock'],
  ['gpu', 'GPU-hours'],
];

/** How the charts look is part of the address, so that a link shows the same. */
function useLook(): [LineLook, (change: Record<string, string>) => void] {
  const { params, set } = useAddress();
  const axis = (params.get('axis') ?? 'step') as Axis;
  const smoothing = Math.min(0.99, Math.max(0, Number(params.get('smooth') ?? 0) || 0));
  return [{ axis, smoothing, log: params.get('log') === '1', logX: params.get('logx') === '1' }, set];
}

function LookBar({ look, set, children }: { look: LineLook; set: (change: Record<string, string>) => void; children: React.ReactNode }) {
  return (
    <div className="toolbar">
      {children}
      <span className="grow" />
      <label className="row small soft">
        Smoothing
        <input type="range" min={0} max={0.99} step={0.01} value={look.smoothing} onChange={(e) => set({ smooth: e.target.value === '0' ? '' : e.target.value })} />
        <span className="num smooth-value">{look.smoothing.toFixed(2)}</span>
      </label>
      <Check label="Log scale" checked={look.log} onChange={(on) => set({ log: on ? '1' : '' })} />
      <Check label="Log axis below" checked={look.logX ?? false} onChange={(on) => set({ logx: on ? '1' : '' })} />
      <Segments label="Axis" value={look.axis} options={AXES} onChange={(axis) => set({ axis: axis === 'step' ? '' : axis })} />
    </div>
  );
}

/** Several runs as the mean of each group, with a band of one standard deviation. */
function GroupChoice({ list, group, set }: { list: Run[]; group: string; set: (change: Record<string, string>) => void }) {
  const fields = useMemo(() => groupFields(list), [list]);
  return (
    <select className="select narrow" aria-label="Group the lines by" value={group} onChange={(e) => set({ group: e.target.value })}>
      <option value="">A line for each run</option>
      {fields.map((field) => (
        <option key={field} value={field}>
          Mean ± sd by {field.replace(/Name$/, '')}
        </option>
      ))}
    </select>
  );
}

export default function Charts({ list }: { list: Run[] }) {
  const [look, set] = useLook();
  const { params } = useAddress();
  const group = list.length > 1 ? (params.get('group') ?? '') : '';
  const hours = useGpuHours(list, look.axis === 'gpu');
  const [search, setSearch] = useState('');
  const [pages, setPages] = useState(1);
  const names = useMemo(() => namesIn(list, (run) => run.metrics.map((m) => m.name)), [list]);
  const found = names.filter((name) => name.toLowerCase().includes(search.toLowerCase()));
  const shown = found.slice(0, pages * PER_PAGE);
  const ids = list.map((run) => run.id);
  const charts = useQuery(runs.charts(ids, shown, look.axis === 'step' ? 'step' : 'time', list.some(goesOn)));
  const byMetric = useMemo(() => {
    const place = new Map(list.map((run, index) => [run.id, { label: run.name, index, hours: hours.get(run.id), ...(group ? { group: fieldText(run, group) } : {}) }]));
    const sorted = new Map<string, NamedSeries[]>();
    for (const series of charts.data ?? []) {
      const run = place.get(series.runId);
      if (run) sorted.set(series.metric, [...(sorted.get(series.metric) ?? []), { ...run, series }]);
    }
    return sorted;
  }, [charts.data, list, group, hours]);
  if (names.length === 0) {
    return (
      <Card>
        <Empty small title="No metric was logged" icon={<ChartLine size={20} />}>
          Metrics appear here while the program logs them.
        </Empty>
      </Card>
    );
  }
  return (
    <div className="stack">
      <LookBar look={look} set={set}>
        <SearchBox label="Search metrics" value={search} onChange={setSearch} />
        {list.length > 1 ? <GroupChoice list={list} group={group} set={set} /> : null}
      </LookBar>
      {look.axis === 'gpu' && hours.size < list.length ? (
        <p className="muted small" role="note">
          {hours.size === 0 ? 'None of these runs was' : `${plural(list.length - hours.size, 'run')} not shown: not`} logged from a workload that held GPUs.
        </p>
      ) : null}
      {charts.isPending && shown.length > 0 ? <Skeleton lines={6} /> : null}
      {charts.isError ? <Card><Failed small error={charts.error} what="metrics" retry={() => void charts.refetch()} /></Card> : null}
      <div className="grid run-charts">
        {shown.map((name) => {
          const lines = byMetric.get(name);
          return lines ? (
            <Card key={name} title={<span className="break">{name}</span>}>
              <RunChart label={`${name} of ${plural(lines.length, 'run')}`} lines={lines} look={look} />
            </Card>
          ) : null;
        })}
      </div>
      {found.length > shown.length ? (
        <div className="row">
          <Button onClick={() => setPages(pages + 1)}>Show more</Button>
          <span className="muted small">{plural(found.length - shown.length, 'more metric')}</span>
        </div>
      ) : null}
      {found.length === 0 ? <p className="muted">No metric has this in its name.</p> : null}
    </div>
  );
}
