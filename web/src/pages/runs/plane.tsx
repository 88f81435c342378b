// The tabs "Scatter" and "Bars" of a comparison; what they show stands in the address.
import { useMemo } from 'react';
import type { Run } from '@/api/runs';
import { useAddress } from '@/lib/address';
import { groupFields } from '@/pages/runs/filters';
import { BarChart, ScatterChart } from '@/pages/runs/scatter';
import { differing, namesIn } from '@/pages/runs/values';
import { Check } from '@/ui/field';
import { Card } from '@/ui/page';
import { Empty } from '@/ui/state';
import { ChartLine } from '@/ui/icons';

const metricsIn = (list: Run[]) => namesIn(list, (run) => run.metrics.map((m) => m.name)).map((name) => `metrics.${name}`);
const paramsIn = (list: Run[]) => [...new Set([...differing(list), ...namesIn(list, (run) => Object.keys(run.params))])].map((name) => `params.${name}`);

function Choice({ label, value, fields, onChange, none }: { label: string; value: string; fields: string[]; onChange: (field: string) => void; none?: string }) {
  return (
    <label className="row small soft nowrap">
      {label}
      <select className="select narrow" value={value} onChange={(e) => onChange(e.target.value)}>
        {none ? <option value="">{none}</option> : null}
        {fields.map((field) => (
          <option key={field}>{field}</option>
        ))}
      </select>
    </label>
  );
}

const Nothing = () => (
  <Card>
    <Empty small title="No metric was logged" icon={<ChartLine size={20} />} />
  </Card>
);

export function ScatterTab({ list }: { list: Run[] }) {
  const { params, set } = useAddress();
  const metrics = useMemo(() => metricsIn(list), [list]);
  const fields = useMemo(() => [...paramsIn(list), ...metrics], [list, metrics]);
  const x = params.get('x') ?? fields[0] ?? '';
  const y = params.get('y') ?? metrics[0] ?? '';
  if (metrics.length === 0) return <Nothing />;
  return (
    <Card title="Scatter">
      <div className="stack">
        <div className="toolbar">
          <Choice label="Across" value={x} fields={fields} onChange={(field) => set({ x: field })} />
          <Choice label="Up" value={y} fields={fields} onChange={(field) => set({ y: field })} />
          <Check label="Log scale across" checked={params.get('logx') === '1'} onChange={(on) => set({ logx: on ? '1' : '' })} />
          <Check label="Log scale up" checked={params.get('log') === '1'} onChange={(on) => set({ log: on ? '1' : '' })} />
        </div>
        <ScatterChart list={list} x={x} y={y} logX={params.get('logx') === '1'} logY={params.get('log') === '1'} />
      </div>
    </Card>
  );
}

export function BarsTab({ list }: { list: Run[] }) {
  const { params, set } = useAddress();
  const metrics = useMemo(() => metricsIn(list), [list]);
  const groups = useMemo(() => groupFields(list), [list]);
  const field = params.get('y') ?? metrics[0] ?? '';
  const group = params.get('group') ?? '';
  if (metrics.length === 0) return <Nothing />;
  return (
    <Card title="Newest values">
      <div className="stack">
        <div className="toolbar">
          <Choice label="Metric" value={field} fields={metrics} onChange={(one) => set({ y: one })} />
          <Choice label="Group by" value={group} fields={groups} none="each run" onChange={(one) => set({ group: one })} />
        </div>
        <BarChart list={list} field={field} group={group} />
      </div>
    </Card>
  );
}
