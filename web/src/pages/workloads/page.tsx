import { useQuery } from '@tanstack/react-query';
import { Boxes, Download } from '@/ui/icons';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { api, type Schemas } from '@/api/client';
import { queries, type Workload } from '@/api/queries';
import { saveFile } from '@/lib/browser';
import { toCsv } from '@/lib/csv';
import type { ListQuery } from '@/lib/filter';
import { keep, kept } from '@/lib/store';
import { BulkBar } from '@/pages/workloads/bulk';
import { useMayCreate } from '@/pages/workloads/kinds';
import { COLUMNS } from '@/pages/workloads/columns';
import { Chips, Filters } from '@/pages/workloads/filters';
import { USUAL, workloadsQuery } from '@/pages/workloads/query';
import { Actions } from '@/pages/my-work/row-actions';
import { useSweeps } from '@/pages/workloads/sweeps';
import { Views } from '@/pages/workloads/views';
import { useProject } from '@/shell/project';
import { Button } from '@/ui/button';
import { ColumnChoice, Pager, SearchBox, useColumns, useListState } from '@/ui/list';
import { Page } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table } from '@/ui/table';
import { toast, toastError } from '@/ui/toast';

const CSV_ROWS = 20_000;
const PAGE = 500;

async function download(query: ListQuery): Promise<void> {
  const rows: Workload[] = [];
  for (let offset = 0; offset < CSV_ROWS; offset += PAGE) {
    const answer = await api.get<Schemas['WorkloadList']>('/api/v1/workloads', { ...query, offset, limit: PAGE });
    rows.push(...answer.workloads);
    if (answer.workloads.length < PAGE) break;
  }
  if (rows.length >= CSV_ROWS) toast(`The file has the first ${CSV_ROWS.toLocaleString('en')}; filter to have the others`);
  const columns = COLUMNS.filter((c) => c.text);
  const text = toCsv(columns.map((c) => c.header), rows.map((row) => columns.map((c) => c.text?.(row))));
  saveFile('workloads.csv', text, 'text/csv');
}

const DENSITY = 'gpuyard.density';

function keepDensity(now: 'normal' | 'compact'): 'normal' | 'compact' {
  const next = now === 'normal' ? 'compact' : 'normal';
  keep(DENSITY, next);
  return next;
}

const actionsOf = (w: Workload) => <Actions workload={w} />;

function useWorkloads() {
  const [state, change] = useListState(USUAL);
  const [project] = useProject();
  const query = useMemo(() => workloadsQuery(state, project), [state, project]);
  const list = useQuery(queries.workloads({ ...query }));
  return { state, change, query, list };
}

export default function Workloads() {
  const { state, change, query, list } = useWorkloads();
  const { shown, ids, choose } = useColumns('workloads', COLUMNS);
  const [picked, setPicked] = useState<Set<string>>(new Set());
  const [density, setDensity] = useState<'normal' | 'compact'>(() => kept(DENSITY, 'normal'));
  const all = list.data?.workloads ?? [];
  const { rows, columns } = useSweeps(all, shown);
  const chosen = rows.filter((row) => picked.has(row.id));
  useEffect(() => setPicked(new Set()), [query]);
  const filtered = state.search !== '' || state.conditions.length > 0 || Object.values(state.any).some((v) => v.length > 0);
  return (
    <Page title="Workloads">
      <div className="toolbar">
        <SearchBox label="Search workloads" value={state.search} onChange={(search) => change({ search })} />
        <Filters state={state} change={change} />
        <span className="grow" />
        <Button aria-pressed={density === 'compact'} className={density === 'compact' ? 'on' : ''} onClick={() => setDensity(keepDensity(density))}>
          Compact
        </Button>
        <ColumnChoice all={COLUMNS} ids={ids} choose={choose} />
        <Button icon={<Download size={15} aria-hidden />} onClick={() => void download(query).catch(toastError)}>
          CSV
        </Button>
      </div>
      <Views />
      <Chips state={state} change={change} />
      <section className="card" aria-busy={list.isPlaceholderData}>
        <BulkBar rows={chosen} clear={() => setPicked(new Set())} />
        {list.isPending ? (
          <div className="card-body">
            <Skeleton lines={6} />
          </div>
        ) : list.isError ? (
          <Failed error={list.error} what="workloads" retry={() => void list.refetch()} />
        ) : rows.length === 0 ? (
          <Nothing filtered={filtered} back={state.page > 0 ? () => change({ page: 0 }) : undefined} />
        ) : (
          <Table
            label="Workloads"
            columns={columns}
            density={density}
            rows={rows}
            rowId={(w) => w.id}
            order={state}
            onOrder={(order) => change(order)}
            picked={picked}
            onPick={setPicked}
            actions={actionsOf}
          />
        )}
        <Pager state={state} onChange={change} total={list.data?.total} shown={all.length} />
      </section>
    </Page>
  );
}

function Nothing({ filtered, back }: { filtered: boolean; back?: () => void }) {
  const mayCreate = useMayCreate();
  if (back) return <Empty title="There is nothing on this page" action={<Button onClick={back}>To the first page</Button>} />;
  if (filtered) return <Empty title="No workload matches">Take a filter away, or look in another project.</Empty>;
  return (
    <Empty
      title="No workload yet"
      icon={<Boxes size={20} />}
      action={
        mayCreate ? (
          <Link className="button primary" to="/workloads/new">
            New workload
          </Link>
        ) : undefined
      }
    >
      {mayCreate ? (
        <>
          Start a notebook or a training here, or on the command line with <code>gpuyard submit</code>.
        </>
      ) : (
        'Work of your projects is listed here.'
      )}
    </Empty>
  );
}
