import { useEffect, useRef, type CSSProperties, type ReactNode } from 'react';
import type { Reservation } from '@/api/reservations';
import { gpus } from '@/lib/quantity';
import { dayOf } from '@/lib/time';
import { addDays, columnsOf, isSpan, mostKept, rowsOf, SPANS, windowOf, type Column, type Span } from '@/pages/reservations/layout';
import { useDrag } from '@/pages/reservations/drag';
import { KeptRow } from '@/pages/reservations/rows';
import { place, type Window } from '@/pages/timeline/layout';
import { Track } from '@/pages/timeline/rows';
import { Button, IconButton } from '@/ui/button';
import { Segments } from '@/ui/field';
import { ChevronLeft, ChevronRight } from '@/ui/icons';
import { Card } from '@/ui/page';
import { useNow } from '@/ui/time';

const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const LETTER = new Intl.DateTimeFormat(undefined, { weekday: 'narrow' });
const MONTH = new Intl.DateTimeFormat(undefined, { month: 'short' });
// As narrow as the columns may be; what does not fit is scrolled.
const NARROWEST: Record<Span, number> = { week: 64, month: 26, quarter: 52 };

const ABOVE: Record<Span, Intl.DateTimeFormat> = { week: WEEKDAY, month: LETTER, quarter: MONTH };

/** The day of the month, below what tells more about it. */
const columnText = (span: Span, at: number) => `${ABOVE[span].format(at)}\n${new Date(at).getDate()}`;

interface CalendarProps {
  list: Reservation[];
  params: URLSearchParams;
  set: (change: Record<string, string>) => void;
  /** A time was dragged over; left out for those who may not reserve. */
  choose?: (chosen: { from: number; to: number; projectId?: string }) => void;
}

/** Weeks across, a row for each project; what is in view stands in the address. */
export function Calendar({ list, params, set, choose }: CalendarProps) {
  const asked = params.get('span');
  const span: Span = isSpan(asked) ? asked : 'month';
  const window = windowOf(span, params.get('from'), useNow());
  const go = (start: number) => set({ from: dayOf(start) });
  const href = (id: string) => `?${new URLSearchParams([...[...params].filter(([key]) => key !== 'reservation'), ['reservation', id]])}`;
  const rows = rowsOf(list, window);
  return (
    <Card
      title={
        <span className="num" role="status">
          {DATE.formatRange(window.start, addDays(window.end, -1))}
        </span>
      }
      actions={
        <>
          <IconButton small tone="plain" label="Earlier" icon={<ChevronLeft size={14} />} onClick={() => go(addDays(window.start, -SPANS[span][0]))} />
          <Button small onClick={() => set({ from: '' })}>
            Today
          </Button>
          <IconButton small tone="plain" label="Later" icon={<ChevronRight size={14} />} onClick={() => go(window.end)} />
          <Segments label="Time in view" value={span} onChange={(next) => set({ span: next === 'month' ? '' : next })} options={[['week', 'Week'], ['month', '4 weeks'], ['quarter', 'Quarter']]} />
        </>
      }
    >
      <Grid span={span} window={window} list={list} choose={choose}>
        {rows.map((row) => (
          <KeptRow key={row.project} row={row} window={window} href={href} />
        ))}
      </Grid>
      {choose ? <p className="tiny muted wide-only">Drag over days to reserve GPUs for them.</p> : null}
      {rows.length === 0 ? <p className="small muted calendar-none">Nothing is reserved in this time.</p> : null}
    </Card>
  );
}

function Grid({ span, window, list, choose, children }: { span: Span; window: Window; list: Reservation[]; choose: CalendarProps['choose']; children: ReactNode }) {
  const box = useNowInView(span, window);
  const columns = columnsOf(span, window);
  const { handlers, chosen } = useDrag(columns, window.now, choose && ((time, project) => choose({ ...time, projectId: list.find((r) => r.projectName === project)?.projectId })));
  const look = { '--gantt-width': `${columns.length * NARROWEST[span]}px`, '--gantt-columns': columns.length } as CSSProperties;
  const width = `${100 / columns.length}%`;
  return (
    <div ref={box} className="gantt calendar" role="region" aria-label="Calendar of reservations" tabIndex={0} style={look} {...handlers}>
      <div className="gantt-axis" aria-hidden>
        {columns.map((column) => (
          <span key={column.from} className={`calendar-column ${kindOf(span, column, window.now)}`} style={{ left: `${place(column.from, window)}%`, width }}>
            {columnText(span, column.from)}
          </span>
        ))}
      </div>
      <ul className="gantt-rows">
        <li className="gantt-row first">
          <span className="gantt-name clip muted" title="The most GPUs that are kept at one time">
            GPUs reserved
          </span>
          <Track window={window} lanes={1}>
            {columns.map((column) => (
              <Most key={column.from} column={column} list={list} style={{ left: `${place(column.from, window)}%`, width }} />
            ))}
            {chosen ? <span className="calendar-chosen" aria-hidden style={{ left: `${place(chosen.from, window)}%`, width: `${place(chosen.to, window) - place(chosen.from, window)}%` }} /> : null}
          </Track>
        </li>
        {children}
      </ul>
    </div>
  );
}

/** Where the weeks do not fit, this moment is in view first. */
function useNowInView(span: Span, window: Window) {
  const box = useRef<HTMLDivElement>(null);
  const { start, now } = window;
  const passed = now < window.end ? place(now, window) / 100 : 0;
  const first = useRef(passed);
  first.current = passed;
  useEffect(() => {
    const element = box.current;
    const track = element?.querySelector<HTMLElement>('.gantt-track');
    if (element && track) element.scrollLeft = first.current * track.offsetWidth - 40;
  }, [span, start]);
  return box;
}

function kindOf(span: Span, { from, to }: Column, now: number): string {
  if (from <= now && now < to) return 'today';
  return span !== 'quarter' && [0, 6].includes(new Date(from).getDay()) ? 'weekend' : '';
}

function Most({ column, list, style }: { column: Column; list: Reservation[]; style: CSSProperties }) {
  const most = mostKept(list, column);
  if (most === 0) return null;
  return (
    <span className="calendar-column most num" style={style} title={`${gpus(most)} at once, ${DATE.formatRange(column.from, column.to - 1)}`}>
      {gpus(most)}
    </span>
  );
}
