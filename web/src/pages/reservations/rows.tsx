// Reservations as bars in time; the calendar and the timeline show them alike.
import { Link } from 'react-router-dom';
import { stateAt, type ReservationState } from '@/api/reservations';
import { gpuCount, gpus } from '@/lib/quantity';
import { absolute } from '@/lib/time';
import type { KeptBar, ProjectRow } from '@/pages/reservations/layout';
import { place, type Window } from '@/pages/timeline/layout';
import { Track } from '@/pages/timeline/rows';
import { Badge, type Tone } from '@/ui/badge';
import { useNow } from '@/ui/time';

const STATES: Record<ReservationState, [label: string, tone: Tone, bar: string]> = {
  active: ['Active', 'ok', 'runs'],
  upcoming: ['Upcoming', 'accent', 'kept'],
  ended: ['Ended', 'still', 'done'],
};

export const stateWord = (state: ReservationState) => STATES[state][0];

export function StateBadge({ one }: { one: KeptBar['one'] }) {
  const [label, tone] = STATES[stateAt(one, useNow())];
  return <Badge tone={tone}>{label}</Badge>;
}


interface KeptRowProps {
  row: ProjectRow;
  window: Window;
  /** The address that shows one of them. */
  href: (id: string) => string;
}

export function KeptRow({ row, window, href }: KeptRowProps) {
  return (
    <li className="gantt-row first" data-project={row.project}>
      <span className="gantt-name clip strong" title={row.project}>
        {row.project}
      </span>
      <Track window={window} lanes={row.lanes}>
        {row.bars.map((bar) => (
          <Kept key={bar.one.id} bar={bar} window={window} to={href(bar.one.id)} />
        ))}
      </Track>
    </li>
  );
}

function Kept({ bar, window, to }: { bar: KeptBar; window: Window; to: string }) {
  const { one } = bar;
  const [word, , tone] = STATES[stateAt(one, window.now)];
  const left = place(bar.from, window);
  const label = `${one.name}: ${gpuCount(one.gpu)} of ${one.nodePool ?? 'its first pool'} for ${one.projectName}, ${absolute(bar.from)} to ${absolute(bar.to)}, ${word.toLowerCase()}`;
  return (
    <Link className={`gantt-bar ${tone}`} to={to} title={label} aria-label={label} style={{ left: `${left}%`, width: `${Math.max(0.4, place(bar.to, window) - left)}%`, top: `${bar.lane * 22 + 3}px` }}>
      <span className="clip">
        {one.name} · {gpus(one.gpu)}
      </span>
    </Link>
  );
}
