import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { gpuCount, gpus } from '@/lib/quantity';
import { absolute, duration } from '@/lib/time';
import { place, type Bar, type Row, type Window } from '@/pages/timeline/layout';

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

function tickText(at: number, window: Window): string {
  const midnight = new Date(at).getHours() === 0 && new Date(at).getMinutes() === 0;
  return midnight || window.end - window.start > 3 * 86_400_000 ? day.format(at) : clock.format(at);
}

/** Times across the top, a line for this moment, rows below. */
export function Chart({ window, ticks, label, children }: { window: Window; ticks: number[]; label: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  // Where it does not fit, this moment and what is planned are in view first.
  useEffect(() => {
    if (box.current) box.current.scrollLeft = box.current.scrollWidth;
  }, []);
  return (
    <div ref={box} className="gantt" role="region" aria-label={label} tabIndex={0}>
      <div className="gantt-axis" aria-hidden>
        {ticks.map((at) => (
          <span key={at} className="gantt-tick" style={{ left: `${place(at, window)}%` }}>
            {tickText(at, window)}
          </span>
        ))}
        <span className="gantt-now-label" style={{ left: `${place(window.now, window)}%` }}>
          now
        </span>
      </div>
      <ul className="gantt-rows">{children}</ul>
    </div>
  );
}

/** The track of a row with the line of this moment. */
export function Track({ window, lanes, children }: { window: Window; lanes: number; children: ReactNode }) {
  return (
    <div className="gantt-track" style={{ height: `${lanes * 22 + 6}px` }}>
      <span className="gantt-now" aria-hidden style={{ left: `${place(window.now, window)}%` }} />
      {children}
    </div>
  );
}

/** Its index where the name ends with one, else the end of its id. */
const shortName = (gpu: string) => ((index) => (index ? `GPU ${index[1]}` : gpu.slice(-8)))(/[-/](\d{1,2})$/.exec(gpu));

/** `out` says why no work is placed there now. */
export function Lane({ row, window, out, colour, first }: { row: Row; window: Window; out?: string; colour: Colour; first: boolean }) {
  return (
    <li className={`gantt-row ${first ? 'first' : ''}`}>
      <span className="gantt-name clip" title={`${row.gpu} on ${row.node}`}>
        <span className="strong">{row.node}</span> {row.gpu === row.node ? null : <span className="muted mono tiny">{shortName(row.gpu)}</span>} {out ? <span className="tiny field-error">{out}</span> : null}
      </span>
      <Track window={window} lanes={row.lanes}>
        {out ? <span className="gantt-out" aria-hidden style={{ left: `${place(window.now, window)}%` }} /> : null}
        {row.bars.map((bar) => (
          <Work key={`${bar.held?.workloadId ?? 'others'}${bar.held?.number ?? ''} ${bar.from} ${bar.lane}`} bar={bar} window={window} colour={colour} />
        ))}
      </Track>
    </li>
  );
}

const STOPS = ['Suspended', 'Deleted', 'Preempted', 'Idle', 'Completed'];
const toneOf = (bar: Bar) => (bar.open ? 'runs' : STOPS.includes(bar.held?.cause ?? '') ? 'done' : 'bad');

export type Colour = 'status' | 'person' | 'project';
const TINTS = 5;

/** The same name has the same colour on every row. */
function tintOf(bar: Bar, colour: Colour): string {
  if (colour === 'status' || !bar.held) return '';
  const name = colour === 'person' ? bar.held.userName : bar.held.projectName;
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return `tint tint-${(sum % TINTS) + 1}`;
}

function describe(bar: Bar): string {
  const { held } = bar;
  if (!held) return `In use by another project, ${gpuCount(bar.part)}, from ${absolute(bar.from)}`;
  const length = duration((bar.to - bar.from) / 1000);
  const end = bar.open ? `runs for ${length}${bar.endsBy ? `, at most until ${absolute(bar.endsBy)}` : ''}` : `${endWord(bar)} after ${length}`;
  return `${held.projectName}/${held.name}, ${gpuCount(bar.part)}, by ${held.userName}, from ${absolute(bar.from)}, ${end}`;
}

const endWord = ({ held, to }: Bar) => (held?.endedAt && to === Date.parse(held.endedAt) ? (held.cause ?? 'ended') : 'left its GPU');

function Work({ bar, window, colour }: { bar: Bar; window: Window; colour: Colour }) {
  const left = place(bar.from, window);
  const right = place(bar.to, window);
  const top = `${bar.lane * 22 + 3}px`;
  const style = { left: `${left}%`, width: `${Math.max(0.4, right - left)}%`, top };
  if (!bar.held) return <span className="gantt-bar others" role="img" title={describe(bar)} aria-label={describe(bar)} style={style} />;
  return (
    <>
      <Link className={`gantt-bar ${toneOf(bar)} ${tintOf(bar, colour)}`} to={`/workloads/${bar.held.workloadId}`} title={describe(bar)} aria-label={describe(bar)} style={style}>
        <span className="clip">
          {bar.held.name}
          {bar.part > 1 ? ` · ${gpus(bar.part)} GPUs` : ''}
          {colour === 'person' ? ` · ${bar.held.userName}` : colour === 'project' ? ` · ${bar.held.projectName}` : ''}
        </span>
      </Link>
      {bar.open && bar.endsBy && bar.endsBy > bar.to ? <span className="gantt-bar until" aria-hidden style={{ left: `${right}%`, width: `${place(bar.endsBy, window) - right}%`, top }} /> : null}
    </>
  );
}
