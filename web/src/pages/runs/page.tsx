import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { runs, type Run } from '@/api/runs';
import { useAddress } from '@/lib/address';
import { plural } from '@/lib/quantity';
import { BulkBar } from '@/pages/runs/bulk';
import { columnsFor } from '@/pages/runs/columns';
import { saveCsv, saveParquet } from '@/pages/runs/export';
import { Chips, Filters, fieldsIn, groupFields } from '@/pages/runs/filters';
import { mark, useMarked } from '@/pages/runs/marks';
import { runsQuery, USUAL } from '@/pages/runs/query';
import { SavedViews } from '@/pages/runs/saved-views';
import { fieldText, grouped, nameIn, number, spread, type Group } from '@/pages/runs/values';
import { useProject } from '@/shell/project';
import { Button } from '@/ui/button';
import { Menu } from '@/ui/menu';
import { Download, FlaskConical } from '@/ui/icons';
import { ColumnChoice, Pager, SearchBox, useColumns, useListState } from '@/ui/list';
import { Page } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table, type Column, type Order } from '@/ui/table';
import { toastError } from '@/ui/toast';
import '@/pages/runs/runs.css';

function useRuns() {
  const [state, change] = useListState(USUAL);
  const [project] = useProject();
  const { params, set } = useAddress();
  const experiment = params.get('experiment') ?? '';
  const deleted = params.get('view') === 'deleted';
  const query = useMemo(() => runsQuery(state, { project, experiment, deleted }), [state, project, experiment, deleted]);
  const list = useQuery(runs.list({ ...query }));
  const experiments = useQuery(runs.experiments(project)).data ?? [];
  return { state, change, params, set, query, list, project, experiment, experiments, deleted, group: params.get('group') ?? '' };
}

/** The pinned ones first, the hidden ones not at all. */
function useArranged(all: Run[]) {
  const pinned = useMarked('pinned');
  const hidden = useMarked('hidden');
  const here = all.filter((run) => hidden.has(run.id));
  const [showing, setShowing] = useState(false);
  const seen = showing ? all : all.filter((run) => !hidden.has(run.id));
  return { rows: [...seen.filter((r) => pinned.has(r.id)), ...seen.filter((r) => !pinned.has(r.id))], pinned, hidden: here, showing, setShowing };
}

/** The columns of the view that the address names, else those that the browser remembers. */
function useViewColumns(offered: Column<Run>[], params: URLSearchParams, set: (change: Record<string, string>) => void) {
  const own = useColumns('runs', offered);
  const cols = params.get('cols');
  if (!cols) return own;
  const ids = cols.split(',').map(decodeURIComponent);
  const choose = (next: string[] | null) => {
    set({ cols: '' });
    own.choose(next);
  };
  return { shown: offered.filter((column) => ids.includes(column.id)), ids, choose };
}

export default function Runs() {
  const { state, change, params, set, query, list, project, experiment, experiments, deleted, group } = useRuns();
  const all = list.data?.runs ?? [];
  const { rows, pinned, hidden, showing, setShowing } = useArranged(all);
  const pins = [...pinned].join();
  const offered = useMemo(() => columnsFor(all, pinned), [list.data, pins]); // eslint-disable-line
  const { shown, ids, choose } = useViewColumns(offered, params, set);
  const viewQuery = () => {
    const kept = new URLSearchParams(params);
    kept.delete('page');
    kept.set('cols', ids.map(encodeURIComponent).join());
    return kept.toString();
  };
  const [picked, setPicked] = useState<Set<string>>(new Set());
  useEffect(() => setPicked(new Set()), [query]);
  const fields = useMemo(() => fieldsIn(all), [list.data]); // eslint-disable-line
  const filtered = state.search !== '' || state.conditions.length > 0 || Object.values(state.any).some((v) => v.length > 0) || experiment !== '';
  const table = { columns: shown, order: state, onOrder: change, picked, onPick: setPicked };
  return (
    <Page title="Runs">
      <div className="toolbar">
        <SearchBox label="Search runs" value={state.search} onChange={(search) => change({ search })} />
        <select className="select narrow" aria-label="Experiment" value={experiment} onChange={(e) => set({ experiment: e.target.value, page: '' })}>
          <option value="">All experiments</option>
          {experiments.map((one) => (
            <option key={one.id} value={one.id}>
              {nameIn(experiments, one)}
            </option>
          ))}
        </select>
        <Filters state={state} change={change} fields={fields} />
        <span className="grow" />
        <select className="select narrow" aria-label="Group by" value={group} onChange={(e) => set({ group: e.target.value })}>
          <option value="">Not grouped</option>
          {groupFields(all).map((field) => (
            <option key={field} value={field}>
              By {field.replace(/Name$/, '')}
            </option>
          ))}
        </select>
        <ColumnChoice all={offered} ids={ids} choose={choose} />
        <SavedViews page="runs" projectId={project} query={viewQuery} />
        <Menu
          trigger={<Button icon={<Download size={15} aria-hidden />}>Export</Button>}
          entries={[
            { label: 'CSV', onSelect: () => void saveCsv(query).catch(toastError) },
            { label: 'Parquet', onSelect: () => void saveParquet(query).catch(toastError) },
          ]}
        />
      </div>
      <div className="row wrap">
        <Chips state={state} change={change} />
        <Button small tone="quiet" aria-pressed={deleted} onClick={() => set({ view: deleted ? '' : 'deleted', page: '' })}>
          {deleted ? 'Back to the runs' : 'Deleted runs'}
        </Button>
        {hidden.length > 0 ? (
          <span className="row small soft">
            {plural(hidden.length, 'run')} hidden
            <Button small tone="quiet" onClick={() => setShowing(!showing)}>{showing ? 'Leave them out' : 'Look'}</Button>
            <Button small tone="quiet" onClick={() => mark('hidden', hidden.map((r) => r.id), false)}>Show again</Button>
          </span>
        ) : null}
      </div>
      <section className="card" aria-busy={list.isPlaceholderData}>
        <BulkBar rows={all.filter((row) => picked.has(row.id))} clear={() => setPicked(new Set())} />
        {list.isPending ? (
          <div className="card-body">
            <Skeleton lines={6} />
          </div>
        ) : list.isError ? (
          <Failed error={list.error} what="runs" retry={() => void list.refetch()} />
        ) : rows.length === 0 ? (
          all.length > 0 ? (
            <Empty title={`${plural(all.length, 'run')} hidden`}>They are kept out of view in this browser; “Show again” brings them back.</Empty>
          ) : (
            <Nothing filtered={filtered} deleted={deleted} />
          )
        ) : group ? (
          <Groups groups={grouped(rows, (run) => fieldText(run, group))} part={(list.data?.total ?? all.length) > all.length} {...table} />
        ) : (
          <Table label="Runs" rows={rows} rowId={(r) => r.id} {...table} />
        )}
        <Pager state={state} onChange={change} total={list.data?.total} shown={all.length} />
      </section>
    </Page>
  );
}

interface GroupsProps {
  groups: Group<Run>[];
  /** There are more runs than those of this page. */
  part: boolean;
  columns: Column<Run>[];
  order: Order;
  onOrder: (order: Order) => void;
  picked: Set<string>;
  onPick: (picked: Set<string>) => void;
}

/** One table for each group, with what its metrics are on average. */
function Groups({ groups, part, columns, picked, onPick, ...rest }: GroupsProps) {
  const metrics = columns.filter((c) => c.id.startsWith('metrics.'));
  return (
    <div className="run-groups">
      {part ? <p className="card-body small muted">Groups and means are those of this page. Show more rows, or filter, to have all runs in them.</p> : null}
      {groups.map((one) => {
        const ids = one.rows.map((r) => r.id);
        const pick = (next: Set<string>) => onPick(new Set([...[...picked].filter((id) => !ids.includes(id)), ...next]));
        return (
          <section key={one.name} aria-label={one.name || 'without a value'}>
            <header className="group-head row wrap">
              <span className="strong break">{one.name || 'without a value'}</span>
              <span className="muted small">{plural(one.rows.length, 'run')}</span>
              {metrics.map((column) => {
                const values = spread(one.rows.map((run) => run.metrics.find((m) => `metrics.${m.name}` === column.id)?.value as unknown));
                return values ? (
                  <span key={column.id} className="small soft num">
                    {column.header} {number(values.mean)} ± {number(values.deviation)}
                  </span>
                ) : null;
              })}
            </header>
            <Table label={`Runs of ${one.name}`} columns={columns} rows={one.rows} rowId={(r) => r.id} picked={new Set([...picked].filter((id) => ids.includes(id)))} onPick={pick} {...rest} />
          </section>
        );
      })}
    </div>
  );
}

function Nothing({ filtered, deleted }: { filtered: boolean; deleted: boolean }) {
  if (deleted && !filtered) return <Empty title="No run is deleted">Runs that somebody deletes can be restored from here.</Empty>;
  if (filtered) return <Empty title="No run matches">Take a filter away, or look in another project.</Empty>;
  return (
    <Empty title="No run yet" icon={<FlaskConical size={20} />}>
      Programs log runs with MLflow’s client, with <code>import gpuyard</code>, or as lines of JSON. The chapter “Tracking runs” of the documentation shows how.
    </Empty>
  );
}
