import { useQuery } from '@tanstack/react-query';
import { engine, type Attempt } from '@/api/engine';
import { messageWords } from '@/lib/reasons';
import { causeWords } from '@/pages/workload/ending';
import { Badge } from '@/ui/badge';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { Elapsed, Time } from '@/ui/time';

const tone = (cause: string | null | undefined) => (!cause ? 'ok' : cause === 'Completed' ? 'done' : ['Suspended', 'Deleted', 'Preempted', 'Idle'].includes(cause) ? 'still' : 'bad');

const RESIDENCE = { OnGpu: 'Under way', Leaving: 'Leaving its GPUs', Away: 'Off its GPUs', Returning: 'Returning to its GPUs' };

function UnderWay({ attempt: a }: { attempt: Attempt }) {
  const where = a.residence ?? 'OnGpu';
  return <Badge tone={where === 'Away' ? 'still' : 'ok'}>{RESIDENCE[where]}</Badge>;
}

const COLUMNS: Column<Attempt>[] = [
  { id: 'n', header: 'Attempt', cell: (a) => a.number },
  { id: 'end', header: 'End', cell: (a) => (a.cause ? <Badge tone={tone(a.cause)}>{causeWords(a.cause)}</Badge> : <UnderWay attempt={a} />) },
  { id: 'code', header: 'Exit', cell: (a) => (a.signal ? `signal ${a.signal}` : (a.exitCode ?? '–')), right: true },
  { id: 'where', header: 'Nodes', cell: (a) => [...new Set(a.nodes)].join(', ') || '–' },
  { id: 'gpus', header: 'GPUs', cell: (a) => a.gpus.length, right: true },
  { id: 'start', header: 'Started', cell: (a) => <Time at={a.startedAt ?? a.placedAt} /> },
  { id: 'took', header: 'Ran for', cell: (a) => <Elapsed from={a.startedAt} to={a.endedAt} /> },
  { id: 'why', header: 'What happened', cell: (a) => <span className="break">{[messageWords(a.message), a.stop?.by ? `by ${a.stop.by}` : '', a.stop?.rule].filter(Boolean).join(' · ') || '–'}</span> },
];

export function Attempts({ id }: { id: string }) {
  const attempts = useQuery(engine.attempts(id));
  if (attempts.isPending) return <Skeleton />;
  if (attempts.isError) return <Card><Failed small error={attempts.error} what="attempts" /></Card>;
  return (
    <Card flush>
      {attempts.data.length === 0 ? (
        <Empty small title="It has not been started yet">Each start is an attempt with its own logs; they are listed here.</Empty>
      ) : (
        <Table label="Attempts" columns={COLUMNS} rows={attempts.data} rowId={(a) => String(a.number)} />
      )}
    </Card>
  );
}
