import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from '@/ui/icons';
import { Link } from 'react-router-dom';
import { api } from '@/api/client';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { Time } from '@/ui/time';
import { eventText, OUTCOMES, type Delivery } from './words';

const COLUMNS: Column<Delivery>[] = [
  { id: 'at', header: 'Happened', cell: (d) => <Time at={d.at} /> },
  { id: 'rule', header: 'Rule', cell: (d) => <span className="strong">{d.ruleName}</span> },
  { id: 'event', header: 'Event', cell: (d) => eventText(d.event) },
  { id: 'work', header: 'Workload', cell: (d) => (d.workloadId ? <Link to={`/workloads/${d.workloadId}`}>{d.workloadName}</Link> : '–') },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: (d) => {
      const [label, tone] = OUTCOMES[d.outcome];
      return <Badge tone={tone}>{label}</Badge>;
    },
  },
  { id: 'tries', header: 'Tries', cell: (d) => <span className="num">{d.tries}</span> },
  {
    id: 'last',
    header: 'Last try',
    cell: (d) => (
      <>
        <Time at={d.lastTryAt} /> {d.lastError ? <span className="small muted">{d.lastError}</span> : d.lastStatus ? <span className="small muted">answered {d.lastStatus}</span> : null}
      </>
    ),
  },
];

/** What was sent, what waits and what failed; newest first. */
export function Log({ rule }: { rule: string | null }) {
  const rows = useQuery({
    queryKey: ['notification-delivery', rule],
    queryFn: () => api.get<Delivery[]>('/api/v1/notifications/deliveries', { limit: 100, ruleId: rule ?? undefined }),
  });
  const again = (
    <Button small icon={<RotateCcw size={13} aria-hidden />} onClick={() => void rows.refetch()}>
      Refresh
    </Button>
  );
  return (
    <Card flush title="Messages" actions={again}>
      {rows.isPending ? (
        <div className="card-body">
          <Skeleton />
        </div>
      ) : rows.isError ? (
        <Failed small error={rows.error} what="messages" />
      ) : rows.data?.length === 0 ? (
        <Empty small title="No message yet">
          Each message stands here with how its delivery went. Test a rule to see the first one.
        </Empty>
      ) : (
        <Table label="Messages" columns={COLUMNS} rows={rows.data ?? []} rowId={(d) => d.id} />
      )}
    </Card>
  );
}
