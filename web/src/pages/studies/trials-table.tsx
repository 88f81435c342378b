// The trials as a table: those that are selected, in any order, a page at a time.
import { useMemo } from 'react';
import { useAddress } from '@/lib/address';
import { saveFile } from '@/lib/browser';
import { toCsv } from '@/lib/csv';
import { hoursOf, plural } from '@/lib/quantity';
import { duration } from '@/lib/time';
import { number } from '@/pages/runs/values';
import { stateAt } from '@/api/trials';
import type { Field } from '@/pages/studies/fields';
import { TrialStateBadge } from '@/pages/studies/state';
import type { View } from '@/pages/studies/view';
import { Button } from '@/ui/button';
import { Download } from '@/ui/icons';
import { ColumnChoice, Pager, useColumns, useListState } from '@/ui/list';
import { Card } from '@/ui/page';
import { Empty } from '@/ui/state';
import { Table, type Column } from '@/ui/table';

const none = <span className="muted">–</span>;
const MOST_USUAL = 8;

const fieldColumn = (field: Field, extra: boolean): Column<number> => ({
  id: field.id,
  header: field.label,
  sort: field.id,
  right: field.scale !== 'choice',
  extra,
  cell: (i) => (Number.isFinite(field.values[i]) ? <span className="num">{field.text(field.values[i] as number)}</span> : none),
  text: (i) => (Number.isFinite(field.values[i]) ? (field.scale === 'choice' ? field.text(field.values[i] as number) : field.values[i]) : ''),
});

function columnsOf(view: View, open: (trial: number) => void): Column<number>[] {
  const { fields, trials } = view;
  const took = fields.all.get('took') as Field;
  return [
    { id: 'number', header: 'Trial', sort: 'number', cell: (i) => <button type="button" className="link strong num" onClick={() => open(i)}>{i}</button>, text: (i) => i },
    { id: 'state', header: 'State', sort: 'state', cell: (i) => <TrialStateBadge state={stateAt(trials, i)} />, text: (i) => stateAt(trials, i) },
    ...fields.objectives.map((field) => fieldColumn(field, false)),
    ...fields.parameters.map((field, i) => fieldColumn(field, i >= MOST_USUAL)),
    { id: 'last', header: 'Last report', right: true, extra: true, cell: (i) => (Number.isFinite(trials.lasts[i]) ? <span className="num">{number(trials.lasts[i] as number)} at step {trials.steps[i]}</span> : none), text: (i) => (Number.isFinite(trials.lasts[i]) ? trials.lasts[i] : '') },
    { id: 'repeat', header: 'Repeats', right: true, extra: true, cell: (i) => (Number.isFinite(trials.repeatOf[i]) ? <span className="num">trial {trials.repeatOf[i]}</span> : none), text: (i) => (Number.isFinite(trials.repeatOf[i]) ? trials.repeatOf[i] : '') },
    { id: 'took', header: 'Took', sort: 'took', right: true, cell: (i) => (Number.isFinite(took.values[i]) ? <span className="nowrap num">{duration(took.values[i] as number)}</span> : none), text: (i) => (Number.isFinite(took.values[i]) ? took.values[i] : '') },
    { id: 'gpu', header: 'GPU-hours', right: true, extra: true, cell: (i) => (Number.isFinite(trials.gpuHours[i]) ? <span className="num">{hoursOf(trials.gpuHours[i] as number)}</span> : none), text: (i) => (Number.isFinite(trials.gpuHours[i]) ? trials.gpuHours[i] : '') },
  ];
}

/** Numbers of the trials to show, in order; those without the value come last. */
export function ordered(count: number, mask: Uint8Array | null, field: Field | undefined, descending: boolean): number[] {
  const rows: number[] = [];
  for (let i = 0; i < count; i++) if (!mask || mask[i] === 1) rows.push(i);
  if (!field) return rows;
  const { values } = field;
  const way = descending ? -1 : 1;
  return rows.sort((a, b) => {
    const [p, q] = [values[a] as number, values[b] as number];
    if (!Number.isFinite(p) || !Number.isFinite(q)) return Number(!Number.isFinite(p)) - Number(!Number.isFinite(q)) || a - b;
    return way * (p - q) || a - b;
  });
}

export function TrialsTable({ view }: { view: View }) {
  const [state, change] = useListState({ sort: 'number', descending: true, size: 25 });
  const { set } = useAddress();
  const columns = useMemo(() => columnsOf(view, (trial) => set({ trial: String(trial) })), [view]); // eslint-disable-line
  const { shown, ids, choose } = useColumns(`trials.${view.study.id}`, columns);
  const rows = useMemo(() => ordered(view.trials.count, view.mask, view.fields.all.get(state.sort), state.descending), [view, state.sort, state.descending]);
  const page = useMemo(() => rows.slice(state.page * state.size, (state.page + 1) * state.size), [rows, state.page, state.size]);
  const save = () => {
    const all = columns.filter((c) => c.text);
    saveFile(`${view.study.name}-trials.csv`, toCsv(all.map((c) => c.header), rows.map((i) => all.map((c) => c.text?.(i)))), 'text/csv');
  };
  return (
    <Card
      flush
      title={view.mask ? `Selected trials (${rows.length.toLocaleString('en')})` : `Trials (${rows.length.toLocaleString('en')})`}
      actions={
        <>
          <ColumnChoice all={columns} ids={ids} choose={choose} />
          <Button icon={<Download size={15} aria-hidden />} title={`${plural(rows.length, 'trial')} with every column`} onClick={save}>
            CSV
          </Button>
        </>
      }
    >
      {page.length === 0 ? <Empty small title={view.trials.count === 0 ? 'No trial has begun yet' : 'No trial is in this selection'} /> : <Table label="Trials" columns={shown} rows={page} rowId={String} order={state} onOrder={change} />}
      <Pager state={state} onChange={change} total={rows.length} shown={page.length} />
    </Card>
  );
}
