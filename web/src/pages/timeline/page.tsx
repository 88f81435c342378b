import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '@/api/client';
import { engine } from '@/api/engine';
import { queries, useAllowed } from '@/api/queries';
import { Kept } from '@/pages/timeline/kept';
import { Planned } from '@/pages/timeline/planned';
import { byNode, rowsOf, ticksOf, type Window } from '@/pages/timeline/layout';
import { Chart, Lane, type Colour } from '@/pages/timeline/rows';
import { useAddress } from '@/lib/address';
import { plural } from '@/lib/quantity';
import { ChartGantt } from '@/ui/icons';
import { Segments } from '@/ui/field';
import { Pager, SearchBox, useListState } from '@/ui/list';
import { Card, Page } from '@/ui/page';
import { Empty, Failed, Notice, Skeleton } from '@/ui/state';
import { useNow } from '@/ui/time';

type Span = '1h' | '6h' | '24h' | '7d';
const HOURS: Record<Span, number> = { '1h': 1, '6h': 6, '24h': 24, '7d': 168 };
type Rows = 'node' | 'gpu';
const isColour = (text: string | null): text is Colour => text === 'person' || text === 'project';
const isSpan = (text: string | null): text is Span => text !== null && text in HOURS;

/** Three quarters are the past; what is planned gets the rest. */
function windowOf(span: Span, now: number): Window {
  const past = HOURS[span] * 3_600_000;
  return { start: now - past, end: now + past / 3, now };
}

function useHeld(span: Span) {
  return useQuery({
    queryKey: ['attempts', 'timeline', span],
    queryFn: ({ signal }) => {
      const { start, end } = windowOf(span, Date.now());
      return api.get<Schemas['Timeline']>('/api/v1/timeline', { start: new Date(start).toISOString(), end: new Date(end).toISOString() }, signal);
    },
    placeholderData: keepPreviousData,
  });
}

function useNodeCount(search: string, enabled: boolean): number {
  const count = useQuery({
    queryKey: ['node', 'count', search],
    queryFn: async ({ signal }) => (await api.get<Schemas['Count']>('/api/v1/nodes/count', { search }, signal)).count,
    placeholderData: keepPreviousData,
    retry: false,
    enabled,
  });
  return count.data ?? 0;
}

export default function Timeline() {
  const { params, set } = useAddress();
  const asked = params.get('span');
  const span: Span = isSpan(asked) ? asked : '6h';
  const now = useNow();
  const allowed = useAllowed();
  const held = useHeld(span);
  const [list, change] = useListState({ size: 25 });
  const gpus = useQuery({ ...engine.gpus({ search: list.search, offset: list.page * list.size, limit: list.size }), retry: false, enabled: allowed('nodes') });
  const nodes = useNodeCount(list.search, allowed('nodes'));
  const machines = useQuery({ ...queries.nodes(list.search, list.page * list.size, list.size), enabled: allowed('nodes') });
  const out = new Map((machines.data?.nodes ?? []).flatMap((n): [string, string][] => (n.drain ? [[n.name, 'drained']] : n.status !== 'Ready' ? [[n.name, 'not ready']] : [])));
  const window = windowOf(span, now);
  const rowsAre: Rows = params.get('rows') === 'gpu' ? 'gpu' : 'node';
  const colour: Colour = isColour(params.get('colour')) ? (params.get('colour') as Colour) : 'status';
  const spans = held.data ?? { attempts: [], others: [] };
  const known = rowsAre === 'gpu' ? (gpus.data ?? []) : [...new Set((gpus.data ?? []).map((g) => g.node))].map((node) => ({ uuid: node, node }));
  const rows = rowsOf(rowsAre === 'gpu' ? spans : { attempts: byNode(spans.attempts), others: byNode(spans.others) }, known, now, list.page === 0 && !list.search && nodes <= list.size ? 'all' : 'known');
  return (
    <Page
      title="Timeline"
      sub="Which work used which GPU, what runs now, and what is planned and reserved"
      actions={
        <>
          <Segments label="Rows" value={rowsAre} onChange={(next) => set({ rows: next === 'gpu' ? 'gpu' : '' })} options={[['node', 'Nodes'], ['gpu', 'GPUs']]} />
          <Segments label="Colour by" value={colour} onChange={(next) => set({ colour: next === 'status' ? '' : next })} options={[['status', 'Status'], ['person', 'Person'], ['project', 'Project']]} />
          <Segments label="Period" value={span} onChange={(next) => set({ span: next === '6h' ? '' : next })} options={[['1h', '1 h'], ['6h', '6 h'], ['24h', '24 h'], ['7d', '7 days']]} />
        </>
      }
    >
      {held.data && held.data.leftOut > 0 ? <Notice>{plural(held.data.leftOut, 'older attempt')} in this period {held.data.leftOut === 1 ? 'is' : 'are'} left out; choose a shorter one to see them.</Notice> : null}
      {allowed('nodes') ? null : <Notice>Your roles show your projects' work only: an empty stretch may be in use by others. How many GPUs are free is on the overview.</Notice>}
      <Card title="GPUs" actions={<Key />}>
        {held.isPending ? (
          <Skeleton lines={6} />
        ) : held.isError ? (
          <Failed small error={held.error} what="the timeline" retry={() => void held.refetch()} />
        ) : rows.length === 0 ? (
          <Empty small title="No GPU was held in this period" icon={<ChartGantt size={20} />}>
            Work that asks for GPUs appears here as soon as it is placed.
          </Empty>
        ) : (
          <Chart window={window} ticks={ticksOf(window)} label="GPUs over time">
            {rows.map((row, index) => (
              <Lane key={row.gpu} row={row} window={window} out={out.get(row.node)} colour={colour} first={row.node !== rows[index - 1]?.node} />
            ))}
          </Chart>
        )}
        {nodes > list.size ? (
          <div className="pager-row">
            <SearchBox label="Search nodes" value={list.search} onChange={(search) => change({ search })} />
            <Pager state={list} onChange={change} total={nodes} shown={Math.min(list.size, nodes - list.page * list.size)} />
          </div>
        ) : null}
      </Card>
      <Planned window={window} />
      <Kept window={window} />
    </Page>
  );
}

const KEY: [string, string][] = [
  ['runs', 'Running'],
  ['done', 'Ended'],
  ['bad', 'Failed'],
  ['until', 'May run until'],
  ['others', 'Another project'],
  ['out', 'Out of service'],
];

function Key() {
  return (
    <span className="gantt-key small soft">
      {KEY.map(([tone, word]) => (
        <span key={tone} className="row">
          <span className={`gantt-sample ${tone}`} aria-hidden /> {word}
        </span>
      ))}
    </span>
  );
}
