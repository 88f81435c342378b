// The time at which a line of a log came, as it stands beside the line.
import { dayOf } from '@/lib/time';

const CLOCK = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/** "14:02:11"; of another day with its date. */
export function lineTime(at: number, now: number): string {
  const day = dayOf(at);
  return day === dayOf(now) ? CLOCK.format(at) : `${day} ${CLOCK.format(at)}`;
}
