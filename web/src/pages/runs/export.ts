// Runs as files: CSV for spreadsheets, Parquet for programs that want every value with its type.
import { api, type Schemas } from '@/api/client';
import type { Run } from '@/api/runs';
import { saveFile } from '@/lib/browser';
import { toCsv } from '@/lib/csv';
import { columnsFor } from '@/pages/runs/columns';
import type { RunsQuery } from '@/pages/runs/query';
import { namesIn } from '@/pages/runs/values';
import { toast } from '@/ui/toast';

const MOST_ROWS = 10_000;
const PAGE = 500;

async function allOf(query: RunsQuery): Promise<Run[]> {
  const rows: Run[] = [];
  for (let offset = 0; offset < MOST_ROWS; offset += PAGE) {
    const answer = await api.get<Schemas['RunList']>('/api/v1/runs', { ...query, offset, limit: PAGE });
    rows.push(...answer.runs);
    if (answer.runs.length < PAGE) return rows;
  }
  toast(`The file has the first ${MOST_ROWS.toLocaleString('en')}; filter to have the others`);
  return rows;
}

export async function saveCsv(query: RunsQuery): Promise<void> {
  const rows = await allOf(query);
  const columns = columnsFor(rows, new Set()).filter((c) => c.text);
  saveFile('runs.csv', toCsv(columns.map((c) => c.header), rows.map((row) => columns.map((c) => c.text?.(row)))), 'text/csv');
}

export interface TypedColumn {
  name: string;
  type: 'STRING' | 'DOUBLE' | 'TIMESTAMP';
  nullable: true;
  data: (string | number | Date | null)[];
}

const NUMBERS: Record<string, number> = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity };
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : typeof value === 'string' && value in NUMBERS ? (NUMBERS[value] as number) : null);

/** Every field of the runs as a column of one type; what a run lacks is null. */
export function typedColumns(rows: Run[]): TypedColumn[] {
  const text = (name: string, pick: (run: Run) => string | null | undefined): TypedColumn => ({ name, type: 'STRING', nullable: true, data: rows.map((run) => pick(run) ?? null) });
  const time = (name: string, pick: (run: Run) => string | null | undefined): TypedColumn => ({
    name,
    type: 'TIMESTAMP',
    nullable: true,
    data: rows.map((run) => {
      const at = pick(run);
      return at ? new Date(at) : null;
    }),
  });
  const metrics = namesIn(rows, (run) => run.metrics.map((m) => m.name));
  const values = rows.map((run) => new Map(run.metrics.map((m) => [m.name, numberOf(m.value)])));
  return [
    text('id', (r) => r.id),
    text('name', (r) => r.name),
    text('status', (r) => r.status),
    time('startedAt', (r) => r.startedAt),
    time('endedAt', (r) => r.endedAt),
    text('userName', (r) => r.userName),
    text('projectName', (r) => r.projectName),
    text('experimentName', (r) => r.experimentName),
    text('workloadId', (r) => r.workloadId),
    ...metrics.map((name): TypedColumn => ({ name: `metrics.${name}`, type: 'DOUBLE', nullable: true, data: values.map((own) => own.get(name) ?? null) })),
    ...namesIn(rows, (run) => Object.keys(run.params)).map((name) => text(`params.${name}`, (r) => (r.params as Record<string, string>)[name])),
    ...namesIn(rows, (run) => Object.keys(run.tags)).map((name) => text(`tags.${name}`, (r) => (r.tags as Record<string, string>)[name])),
  ];
}

export async function saveParquet(query: RunsQuery): Promise<void> {
  const rows = await allOf(query);
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  saveFile('runs.parquet', parquetWriteBuffer({ columnData: typedColumns(rows) }), 'application/vnd.apache.parquet');
}
