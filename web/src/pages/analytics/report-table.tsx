import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { cost, site, type Price } from '@/api/site';
import type { Report, ReportRow } from '@/api/usage';
import { saveFile } from '@/lib/browser';
import { toCsv } from '@/lib/csv';
import { hoursOf, trim } from '@/lib/quantity';
import { Bar } from '@/ui/bar';
import { Button } from '@/ui/button';
import { BarChart3, Download } from '@/ui/icons';
import { Empty } from '@/ui/state';
import { Table, type Column, type Order } from '@/ui/table';

const HEADERS = { user: 'User', project: 'Project', department: 'Department' };
const hours = hoursOf;

/** What was measured of it; nothing measured is no zero. */
const measured = (row: ReportRow) => row.gpuHours.used + row.gpuHours.idle > 0;
const ifMeasured = (row: ReportRow, value: number) => (measured(row) || row.gpuHours.held === 0 ? value : null);
const orDash = (value: number | null) => (value === null ? <span className="muted" title="not measured">–</span> : hours(value));

function busy(row: ReportRow): number | null {
  const measured = row.gpuHours.used + row.gpuHours.idle;
  return measured > 0 ? (100 * row.gpuHours.used) / measured : null;
}

function Parts({ row, most }: { row: ReportRow; most: number }) {
  const { held, used, idle, notMeasured } = row.gpuHours;
  const label = `${hours(held)} GPU-hours: ${hours(used)} busy, ${hours(idle)} idle, ${hours(notMeasured)} not measured`;
  return (
    <Bar
      label={label}
      total={most}
      segments={[
        { value: used, color: 'var(--chart-1)', label: 'busy' },
        { value: idle, color: 'var(--chart-3)', label: 'idle' },
        { value: notMeasured, color: 'var(--border-strong)', label: 'not measured' },
      ]}
    />
  );
}

const columnsOf = (by: keyof typeof HEADERS, most: number, price: Price | null | undefined): Column<ReportRow>[] => [
  { id: 'name', header: HEADERS[by], sort: 'name', cell: (r) => <span className="strong">{r.name}</span>, text: (r) => r.name },
  { id: 'held', header: 'GPU-hours', sort: 'held', right: true, cell: (r) => hours(r.gpuHours.held), text: (r) => r.gpuHours.held },
  ...(price ? [{ id: 'cost', header: 'Cost', sort: 'cost', right: true, cell: (r: ReportRow) => cost(r.gpuHours.held, price), text: (r: ReportRow) => Number((r.gpuHours.held * price.amount).toFixed(2)) }] : []),
  { id: 'parts', header: 'Busy, idle, not measured', cell: (r) => <Parts row={r} most={most} /> },
  { id: 'used', header: 'Busy', sort: 'used', right: true, cell: (r) => orDash(ifMeasured(r, r.gpuHours.used)), text: (r) => ifMeasured(r, r.gpuHours.used) },
  { id: 'idle', header: 'Idle', sort: 'idle', right: true, cell: (r) => orDash(ifMeasured(r, r.gpuHours.idle)), text: (r) => ifMeasured(r, r.gpuHours.idle) },
  { id: 'unknown', header: 'Not measured', sort: 'unknown', right: true, cell: (r) => hours(r.gpuHours.notMeasured), text: (r) => r.gpuHours.notMeasured },
  { id: 'busy', header: 'Utilisation', sort: 'busy', right: true, cell: (r) => (busy(r) === null ? '–' : `${trim(busy(r) ?? 0, 0)} %`), text: (r) => busy(r) },
  { id: 'workloads', header: 'Workloads', sort: 'workloads', right: true, cell: (r) => r.workloads.toLocaleString('en'), text: (r) => r.workloads },
  { id: 'attempts', header: 'Attempts', sort: 'attempts', right: true, cell: (r) => r.attempts.toLocaleString('en'), text: (r) => r.attempts },
  { id: 'cpu', header: 'CPU-hours', sort: 'cpu', right: true, cell: (r) => orDash(r.cpuHours > 0 ? r.cpuHours : null), text: (r) => (r.cpuHours > 0 ? r.cpuHours : null) },
];

function sorted(rows: ReportRow[], column: Column<ReportRow> | undefined, descending: boolean): ReportRow[] {
  const value = (row: ReportRow) => column?.text?.(row) ?? '';
  const compare = (a: ReportRow, b: ReportRow) => {
    const [x, y] = [value(a), value(b)];
    return typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
  };
  return [...rows].sort((a, b) => compare(a, b) * (descending ? -1 : 1));
}

export function ReportTable({ report }: { report: Report }) {
  const [order, setOrder] = useState<Order>({ sort: 'held', descending: true });
  const by = report.by as keyof typeof HEADERS;
  const most = Math.max(0, ...report.rows.map((r) => r.gpuHours.held));
  const price = useQuery(site).data?.gpuHourPrice;
  const columns = useMemo(() => columnsOf(by, most, price), [by, most, price]);
  const rows = useMemo(() => sorted(report.rows, columns.find((c) => c.sort === order.sort), order.descending), [report.rows, columns, order]);
  const save = () => {
    const written = columns.filter((c) => c.text);
    const lines = [...rows, report.total].map((row) => written.map((c) => c.text?.(row)));
    saveFile(`gpu-hours-by-${by}.csv`, toCsv(written.map((c) => c.header), lines), 'text/csv');
  };
  if (rows.length === 0) {
    return (
      <Empty small title="Nothing ran in this period" icon={<BarChart3 size={20} />}>
        Choose a longer one, or another project.
      </Empty>
    );
  }
  return (
    <>
      <Table label="GPU-hours" columns={columns} rows={rows} rowId={(r) => r.name} order={order} onOrder={setOrder} />
      <div className="pager">
        <span className="num">
          Together {hours(report.total.gpuHours.held)} GPU-hours in {report.total.workloads.toLocaleString('en')} workloads
        </span>
        <Button small icon={<Download size={13} aria-hidden />} onClick={save}>
          CSV
        </Button>
      </div>
    </>
  );
}
