// One field of runs against another.
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Run } from '@/api/runs';
import { plural } from '@/lib/quantity';
import { barsOf, placesOf, scatterOf, ticksOf, type Spot } from '@/pages/runs/plots';
import { colorOf } from '@/pages/runs/run-chart';
import { number } from '@/pages/runs/values';
import { Empty } from '@/ui/state';
import { ChartLine } from '@/ui/icons';

const HEIGHT = 320;
const LEFT = 64;
const BELOW = 30;
const MARGIN = 14;

/** How wide the place is that the chart gets. */
function useWidth(): [React.RefObject<HTMLDivElement>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(240, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}

type Scale = (value: number) => number;

function scaleOf(values: number[], log: boolean, from: number, to: number): { at: Scale; ticks: number[] } {
  let [low, high] = [Math.min(...values), Math.max(...values)];
  if (low === high) [low, high] = log ? [low / 2, high * 2] : [low - (Math.abs(low) / 10 || 1), high + (Math.abs(high) / 10 || 1)];
  const put = log ? Math.log10 : (v: number) => v;
  return { at: (v) => from + ((put(v) - put(low)) / (put(high) - put(low))) * (to - from), ticks: ticksOf(low, high, log) };
}

export function ScatterChart({ list, x, y, logX, logY }: { list: Run[]; x: string; y: string; logX: boolean; logY: boolean }) {
  const [box, width] = useWidth();
  const { spots, names, missing, belowLog } = scatterOf(list, x, y, { x: logX, y: logY });
  return (
    <div ref={box} className="stack tight">
      {spots.length === 0 ? (
        <Empty small title={belowLog > 0 ? 'No run has values above 0, as a log scale needs' : 'No run has both values'} icon={<ChartLine size={20} />} />
      ) : (
        <Plot width={width} spots={spots} names={names} x={x} y={y} logX={logX && names === null} logY={logY} />
      )}
      {spots.length > 0 ? <LeftOut missing={missing} belowLog={belowLog} /> : null}
    </div>
  );
}

function LeftOut({ missing, belowLog }: { missing: number; belowLog: number }) {
  const words = [missing > 0 ? `${plural(missing, 'run')} without both values` : '', belowLog > 0 ? `${plural(belowLog, 'run')} with values of 0 or less, which a log scale cannot show` : ''].filter(Boolean);
  return words.length > 0 ? <p className="muted small">Not drawn: {words.join('; ')}.</p> : null;
}

interface PlotProps {
  width: number;
  spots: Spot[];
  names: string[] | null;
  x: string;
  y: string;
  logX: boolean;
  logY: boolean;
}

function Plot({ width, spots, names, x, y, logX, logY }: PlotProps) {
  const right = width - MARGIN;
  const bottom = HEIGHT - BELOW;
  const across = scaleOf(names ? [-0.5, names.length - 0.5] : spots.map((s) => s.x), logX, LEFT + MARGIN, right - MARGIN);
  const up = scaleOf(spots.map((s) => s.y), logY, bottom - MARGIN, MARGIN);
  const below = names ? names.map((_, i) => i) : across.ticks;
  return (
    <svg className="scatter" width={width} height={HEIGHT + 18} viewBox={`0 0 ${width} ${HEIGHT + 18}`} role="group" aria-label={`${y} against ${x}, ${plural(spots.length, 'run')}`}>
      {up.ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={right} y1={up.at(tick)} y2={up.at(tick)} />
          <text x={LEFT - 8} y={up.at(tick) + 4} textAnchor="end">{number(tick)}</text>
        </g>
      ))}
      {below.map((tick) => (
        <g key={tick}>
          <line x1={across.at(tick)} x2={across.at(tick)} y1={MARGIN} y2={bottom} />
          <text x={across.at(tick)} y={bottom + 16} textAnchor="middle">{names ? names[tick] : number(tick)}</text>
        </g>
      ))}
      <text className="scatter-name" x={(LEFT + right) / 2} y={HEIGHT + 12} textAnchor="middle">{x}</text>
      {spots.map(({ run, index, x: place, y: value }) => (
        <Link key={run.id} to={`/runs/${run.id}`} aria-label={`${run.name}: ${number(value)}`}>
          <circle cx={across.at(place)} cy={up.at(value)} r={5} style={{ fill: colorOf(index) }}>
            <title>{`${run.name}\n${x} ${names ? names[place] : number(place)}\n${y} ${number(value)}`}</title>
          </circle>
        </Link>
      ))}
    </svg>
  );
}

/** A metric's newest values side by side. */
export function BarChart({ list, field, group }: { list: Run[]; field: string; group: string }) {
  const bars = barsOf(list, field, group);
  if (bars.length === 0) return <Empty small title="No run has this value" icon={<ChartLine size={20} />} />;
  const places = placesOf(bars.map((bar) => bar.value));
  return (
    <ul className="run-bars" aria-label={`${field} ${group ? `by ${group}` : 'of each run'}`}>
      {bars.map((bar, i) => (
        <li key={`${bar.name} ${bar.index}`}>
          <span className="clip" title={bar.name}>{bar.name}</span>
          <span className="run-bar">
            <span style={{ marginLeft: `${places[i]?.left ?? 0}%`, width: `${places[i]?.width ?? 0}%`, background: colorOf(bar.index) }} />
          </span>
          <span className="num nowrap">
            {number(bar.value)}
            {bar.deviation === null ? '' : ` ± ${number(Number(bar.deviation.toPrecision(2)))} (${bar.runs})`}
          </span>
        </li>
      ))}
    </ul>
  );
}
