import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Download } from '@/ui/icons';
import { useState } from 'react';
import { open, api, type Schemas } from '@/api/client';
import { saveFile } from '@/lib/browser';
import { useAddress } from '@/lib/address';
import { toQuery } from '@/lib/filter';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { CodeBox } from '@/ui/copy';
import { Dialog } from '@/ui/dialog';
import { Segments } from '@/ui/field';
import { Pager, SearchBox, useListState } from '@/ui/list';
import { Facts, Page } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { FullTime, Time } from '@/ui/time';
import { toastError } from '@/ui/toast';

type Line = Schemas['AuditLog'];

// Leaving one subject out reads every line of the period.
const DAYS: Record<Acts, number> = { people: 7, system: 7, all: 30 };
/** The name under which the server itself changes things: placements, ends, evictions. */
const SYSTEM = 'system';
type Acts = 'people' | 'system' | 'all';
const KINDS = ['workload', 'project', 'department', 'user', 'application', 'role', 'access-rule', 'node', 'node-pool', 'asset', 'policy', 'reservation', 'setting'];

function period(days: number) {
  const end = new Date(Date.now() + 60_000);
  return { start: new Date(end.getTime() - days * 86_400_000).toISOString(), end: end.toISOString() };
}

const COLUMNS = (show: (line: Line) => void): Column<Line>[] => [
  { id: 'at', header: 'When', sort: 'timestamp', cell: (l) => <Time at={l.timestamp} /> },
  { id: 'who', header: 'Who', cell: (l) => (l.subject === SYSTEM ? 'Scheduler' : l.subject) },
  { id: 'action', header: 'Did', cell: (l) => <Badge tone={l.action === 'delete' ? 'bad' : l.action === 'create' ? 'ok' : 'still'}>{l.action}</Badge> },
  {
    id: 'what',
    header: 'What',
    cell: (l) => (
      <button type="button" className="link" onClick={() => show(l)}>
        {l.entity_type} {l.entity_name}
      </button>
    ),
  },
  { id: 'result', header: 'Result', cell: (l) => <Badge tone={l.result === 'Succeeded' ? 'ok' : 'bad'}>{l.result}</Badge> },
  { id: 'from', header: 'From', cell: (l) => <span className="mono tiny">{l.source_ip || '–'}</span> },
];

export default function Audit() {
  const [state, change] = useListState({ sort: 'timestamp', descending: true });
  const [shown, setShown] = useState<Line | null>(null);
  const { params, set } = useAddress();
  const acts: Acts = params.get('acts') === 'system' ? 'system' : params.get('acts') === 'all' ? 'all' : 'people';
  const kind = params.get('kind') ?? '';
  const more = [...(acts === 'people' ? [`subject!=${SYSTEM}`] : acts === 'system' ? [`subject==${SYSTEM}`] : []), ...(kind ? [`entity_type==${kind}`] : [])];
  const base = toQuery(state);
  const query = { ...base, filterBy: [base.filterBy, ...more].filter(Boolean).join(',') || undefined };
  const log = useQuery({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => api.get<Schemas['AuditLogPage']>('/api/v1/audit/log', { ...query, ...period(DAYS[acts]) }, signal),
    placeholderData: keepPreviousData,
  });
  const rows = log.data?.audit_logs ?? [];
  const save = async () => {
    const response = await open('GET', '/api/v1/audit/log/file', { query: { ...period(DAYS.all), file_type: 'csv' } });
    saveFile('audit.csv', await response.blob(), 'text/csv');
  };
  return (
    <Page title="Audit log" sub={`Who changed what in the last ${DAYS[acts]} days`}>
      <div className="toolbar">
        <SearchBox label="Search the audit log" value={state.search} onChange={(search) => change({ search })} />
        <Segments label="Acts of" value={acts} onChange={(next) => set({ acts: next === 'people' ? '' : next, page: '' })} options={[['people', 'People'], ['system', 'Scheduler'], ['all', 'All']]} />
        <select className="select auto" aria-label="Kind of thing" value={kind} onChange={(e) => set({ kind: e.target.value, page: '' })}>
          <option value="">Every kind</option>
          {KINDS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <span className="grow" />
        <Button icon={<Download size={15} aria-hidden />} onClick={() => void save().catch(toastError)}>
          CSV
        </Button>
      </div>
      <section className="card">
        {log.isPending ? (
          <div className="card-body">
            <Skeleton lines={6} />
          </div>
        ) : log.isError ? (
          <Failed error={log.error} what="the audit log" retry={() => void log.refetch()} />
        ) : rows.length === 0 ? (
          <Empty title="Nothing matches" />
        ) : (
          <Table label="Audit log" columns={COLUMNS(setShown)} rows={rows} rowId={(l) => l.id} order={state} onOrder={(order) => change(order)} />
        )}
        <Pager state={state} onChange={change} total={log.data?.total} shown={rows.length} />
      </section>
      {shown ? <LineDialog line={shown} onClose={() => setShown(null)} /> : null}
    </Page>
  );
}

function pretty(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? '';
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

function LineDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const metadata = (line.metadata ?? {}) as Record<string, unknown>;
  return (
    <Dialog wide title={`${line.action} ${line.entity_type} ${line.entity_name}`} onClose={onClose}>
      <div className="stack">
        <Facts
          rows={[
            ['When', <FullTime key="t" at={line.timestamp} />],
            ['Who', `${line.subject} (${line.subject_type})`],
            ['From', line.source_ip],
            ['Request', `${line.http_method} ${line.url}`],
            ['Answer', String(line.http_status_code)],
            ['Request id', line.reqeust_id],
          ]}
        />
        {['before', 'after'].map((key) =>
          metadata[key] ? (
            <div key={key} className="stack close">
              <h3>{key === 'before' ? 'Before' : 'After'}</h3>
              <CodeBox text={pretty(metadata[key])} label={key} />
            </div>
          ) : null,
        )}
      </div>
    </Dialog>
  );
}
