import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Reservation } from '@/api/reservations';
import { duration, mark, parseTime } from '@/lib/time';
import { gpuCount } from '@/lib/quantity';
import { StateBadge } from '@/pages/reservations/rows';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Facts } from '@/ui/page';
import { FullTime } from '@/ui/time';

const lengthOf = (one: Reservation) => duration(((parseTime(one.end) ?? 0) - (parseTime(one.start) ?? 0)) / 1000);
export const releaseText = (one: Reservation) => (one.releaseAfterMinutes ? `after ${mark(one.releaseAfterMinutes * 60)}` : 'never');

export const factsOf = (one: Reservation): [string, ReactNode][] => [
  ['For the work of', one.projectName],
  ['Keeps', `${gpuCount(one.gpu)} of ${one.nodePool ? `node pool ${one.nodePool}` : "the project's first node pool"}`],
  ['From', <FullTime key="from" at={one.start} />],
  ['To', <FullTime key="to" at={one.end} />],
  ['Length', lengthOf(one)],
  ['Given back if unused', releaseText(one)],
  ['Made by', one.createdBy],
];

interface DetailsProps {
  one: Reservation;
  onClose: () => void;
  /** Left out for those who may not. */
  onEdit?: () => void;
  onDelete?: () => void;
}

export function Details({ one, onClose, onEdit, onDelete }: DetailsProps) {
  return (
    <Dialog
      title={one.name}
      onClose={onClose}
      foot={
        <>
          {onDelete ? (
            <Button tone="danger" onClick={onDelete}>
              Delete…
            </Button>
          ) : null}
          {onEdit ? <Button onClick={onEdit}>Change…</Button> : null}
          <Link className="button" to={`/reservations/${one.id}`}>
            Its page
          </Link>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <Facts rows={[['State', <StateBadge key="state" one={one} />], ...factsOf(one)]} />
    </Dialog>
  );
}
