// One reservation: what it keeps, for whom, and who works on it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { queries, useAllowed } from '@/api/queries';
import { reservations, type Reservation } from '@/api/reservations';
import { factsOf } from '@/pages/reservations/details';
import { DeleteReservation, ReservationDialog } from '@/pages/reservations/form';
import { gpuCount } from '@/lib/quantity';
import { StateBadge } from '@/pages/reservations/rows';
import { Button } from '@/ui/button';
import { CalendarRange, Pencil, Trash2 } from '@/ui/icons';
import { PersonLink } from '@/ui/links';
import { Card, Facts, Page } from '@/ui/page';
import { Phase } from '@/ui/phase';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table } from '@/ui/table';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';

const SHOWN = 50;

export default function ReservationPage() {
  const { id = '' } = useParams();
  const list = useQuery(reservations);
  const one = list.data?.find((r) => r.id === id);
  if (one) return <Loaded one={one} />;
  return (
    <Page title="Reservation">
      <div className="card card-body">
        {list.isPending ? <Skeleton lines={5} /> : list.isError ? <Failed error={list.error} what="this reservation" /> : <Empty title="There is no such reservation" icon={<CalendarRange size={20} />} action={<Link className="button" to="/reservations">All reservations</Link>} />}
      </div>
    </Page>
  );
}

function Loaded({ one }: { one: Reservation }) {
  const may = useAllowed()('project', 'create');
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'change' | 'delete' | null>(null);
  const done = (text: string) => {
    toast(text);
    void client.invalidateQueries({ queryKey: ['reservation'] });
  };
  const close = () => setAsking(null);
  return (
    <Page
      title={one.name}
      heading={
        <div className="row wrap">
          <CalendarRange size={20} aria-hidden className="muted" />
          <h1 className="break">{one.name}</h1>
          <StateBadge one={one} />
        </div>
      }
      sub={
        <>
          {gpuCount(one.gpu)} reserved for <Link to={`/projects/${one.projectId}`}>{one.projectName}</Link>
        </>
      }
      actions={
        may ? (
          <>
            <Button icon={<Pencil size={15} />} onClick={() => setAsking('change')}>
              Change…
            </Button>
            <Button tone="danger" icon={<Trash2 size={15} />} onClick={() => setAsking('delete')}>
              Delete…
            </Button>
          </>
        ) : null
      }
    >
      <Card title="What is reserved">
        <Facts rows={factsOf(one)} />
      </Card>
      <Work one={one} />
      {asking === 'change' ? <ReservationDialog one={one} onClose={close} done={done} /> : null}
      {asking === 'delete' ? <DeleteReservation one={one} onClose={close} done={(text) => (done(text), navigate('/reservations'))} /> : null}
    </Page>
  );
}

/** What the project runs now; the scheduler counts it against the reservation while that is active. */
function Work({ one }: { one: Reservation }) {
  const running = useQuery({ ...queries.workloads({ filterBy: `projectId==${one.projectId},phase==Running`, sortBy: 'createdAt', sortOrder: 'desc', limit: SHOWN }), retry: false });
  const list = running.data?.workloads ?? [];
  return (
    <Card flush title={`${one.projectName} runs now`}>
      {running.isPending ? (
        <Skeleton />
      ) : running.isError ? (
        <Failed small error={running.error} what="the work of this project" />
      ) : list.length === 0 ? (
        <p className="card-body small muted">Nothing that you may see.</p>
      ) : (
        <Table
          label="Work of the project"
          rows={list}
          rowId={(w) => w.id}
          columns={[
            { id: 'name', header: 'Name', cell: (w) => <Link className="strong" to={`/workloads/${w.id}`}>{w.name}</Link> },
            { id: 'phase', header: 'Status', cell: (w) => <Phase phase={w.phase} /> },
            { id: 'by', header: 'By', cell: (w) => <PersonLink name={w.submittedBy} /> },
            { id: 'since', header: 'Since', cell: (w) => <Time at={w.phaseUpdatedAt} /> },
          ]}
        />
      )}
    </Card>
  );
}
