import { useQuery } from '@tanstack/react-query';
import { Boxes, Download } from '@/ui/icons';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { api, type Schemas } from '@/api/client';
import { queries, type Workload } from '@/api/queries';
import { saveFile } from '@/lib/browser';
import { toCsv } from '@/lib/csv';
import { toQuery, type ListQuery } from '@/lib/filter';
import { BulkBar } from '@/pages/workloads/bulk';
import { COLUMNS } from '@/pages/workloads/columns';
import { Chips, Filters, SETS } from '@/pages/workloads/filters';
import { RowMenu } from '@/pages/workloads/row-menu';
import { useProject } from '@/shell/project';
import { Button } from '@/ui/button';
import { ColumnChoice, Pager, SearchBox, useColumns, useListState } from '@/ui/list';
import { Page } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table } from '@/ui/table';
import { toastError } from '@/ui/toast';

const CSV_ROWS = 20_000;
const PAGE = 500;

async function download(query: ListQuery): Promise<void> {
  const rows: Workload[] = [];
  for (let offset = 0; offset < CSV_ROWS; offset += PAGE) {
    const answer = await api.get<Schemas['WorkloadList']>('/api/v1/workloads', { ...query, offset, limit: PAGE });
    rows.push(...answer.workloads);
    if (answer.workloads.length < PAGE) break;
  }
  const columns = COLUMNS.filter((c) => c.text);
  const text = toCsv(columns.map((c) => c.header), rows.map((row) => columns.map((c) => c.text?.(row))));
  saveFile('workloads.csv', text, 'text/csv');
}

const actionsOf = (w: Workload) => <RowMenu workload={w} />;

function useWorkloads() {
  const [state, change] = useListState({ sort: 'createdAt', descending: true });
  const [project] = useProject();
  const query = useMemo(() => {
    const all = project ? { ...state, conditions: [...state.conditions, { field: 'projectId', op: '==' as const, value: project }] } : state;
    return toQuery(all, SETS);
  }, [state, project]);
  const list = useQuery(queries.workloads({ ...query }));
  const count = useQuery(queries.workloadCount({ ...query }));
  return { state, change, query, list, count };
}

export default function Workloads() {
  const { state, change, query, list, count } = useWorkloads();
  const { shown, ids, choose } = useColumns('workloads', COLUMNS);
  const [picked, setPicked] = useState<Set<string>>(new Set());
  const rows = list.data?.workloads ?? [];
  const chosen = rows.filter((row) => picked.has(row.id));
  useEffect(() => setPicked(new Set()), [query]);
  const filtered = state.search !== '' || state.conditions.length > 0 || Object.values(state.any).some((v) => v.length > 0);
  return (
    <Page title="Workloads">
      <div className="toolbar">
        <SearchBox label="Search workloads" value={state.search} onChange={(search) => change({ search })} />
        <Filters state={state} change={change} />
        <span className="grow" />
        <ColumnChoice all={COLUMNS} ids={ids} choose={choose} />
        <Button icon={<Download size={15} aria-hidden />} onClick={() => void download(query).catch(toastError)}>
          CSV
        </Button>
      </div>
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
          <Nothing filtered={filtered} />
        ) : (
          <Table
            label="Workloads"
            columns={shown}
            rows={rows}
            rowId={(w) => w.id}
            order={state}
            onOrder={(order) => change(order)}
            picked={picked}
            onPick={setPicked}
            actions={actionsOf}
          />
        )}
        <Pager state={state} onChange={change} total={count.data} shown={rows.length} />
      </section>
    </Page>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title="No workload matches">Take a filter away, or look in another project.</Empty>;
  return (
    <Empty
      title="No workload yet"
      icon={<Boxes size={20} />}
      action={
        <Link className="button primary" to="/workloads/new">
          New workload
        </Link>
      }
    >
      Start a notebook or a training here, or on the command line with <code>gpuyard submit</code>.
    </Empty>
  );
}
