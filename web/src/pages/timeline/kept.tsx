import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useAllowed } from '@/api/queries';
import { reservations } from '@/api/reservations';
import { rowsOf } from '@/pages/reservations/layout';
import { KeptRow } from '@/pages/reservations/rows';
import { ticksOf, type Window } from '@/pages/timeline/layout';
import { Chart } from '@/pages/timeline/rows';
import { Card } from '@/ui/page';

/** GPUs that are reserved within the period, by project; nothing where none are. */
export function Kept({ window }: { window: Window }) {
  const allowed = useAllowed();
  const list = useQuery({ ...reservations, enabled: allowed('project'), retry: false });
  const rows = rowsOf(list.data ?? [], window);
  if (rows.length === 0) return null;
  return (
    <Card
      title="Reservations"
      actions={
        <Link className="small" to="/reservations">
          Calendar
        </Link>
      }
    >
      <Chart window={window} ticks={ticksOf(window)} label="Reservations over time">
        {rows.map((row) => (
          <KeptRow key={row.project} row={row} window={window} href={(id) => `/reservations?reservation=${id}`} />
        ))}
      </Chart>
    </Card>
  );
}
