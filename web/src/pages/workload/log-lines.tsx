import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import { absolute } from '@/lib/time';
import { marked, plainText, runsOf } from '@/pages/workload/log-ansi';
import type { Shown } from '@/pages/workload/log-filter';
import { lineTime } from '@/pages/workload/log-times';

const RAISED = /^(?:\[rank \d+\] )?\s*(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt)(?::|$)/;
const BAD = /\b(ERROR|CRITICAL|FATAL|Traceback|Exception)\b/;
const level = (line: string) => (BAD.test(line) || RAISED.test(line) ? ' bad' : /\bWARN(ING)?\b/.test(line) ? ' wait' : '');

interface LinesProps {
  lines: Shown[];
  pattern: RegExp | null;
  follow: boolean;
  wrap: boolean;
  /** The number of the first line less one; null where it is not known. */
  offset: number | null;
  onScrollAway: () => void;
  /** Said when there is no line. */
  none?: string;
  /** When each line came, 0 where it is not known; without it no times are shown. */
  came?: number[] | null;
}

/** Any number of lines; only those in sight are drawn. */
export function Lines({ lines, pattern, follow, wrap, offset, onScrollAway, none = 'No line has it.', came }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: lines.length, getScrollElement: () => box.current, estimateSize: () => 19, overscan: 30 });
  useEffect(() => {
    if (follow && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [follow, lines, virtual]);
  if (lines.length === 0) return <p className="log-none muted small">{none}</p>;
  return (
    <div ref={box} className={`log ${wrap ? 'wraps' : ''}`} tabIndex={0} role="log" aria-label="Log" aria-live="off" onWheel={(e) => e.deltaY < 0 && onScrollAway()}>
      <div style={{ height: virtual.getTotalSize(), position: 'relative', minWidth: '100%' }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index];
          return line ? (
            <div key={item.key} data-index={item.index} ref={virtual.measureElement} className={`log-line ${line.kind}${line.kind === 'around' ? '' : level(plainText(line.text))}`} style={{ transform: `translateY(${item.start}px)` }}>
              {line.kind === 'gap' ? <span className="log-number">⋮</span> : offset === null ? null : <span className="log-number">{line.at + 1 + offset}</span>}
              {came ? <LineTime at={line.kind === 'gap' ? 0 : (came[line.at] ?? 0)} /> : null}
              <LineText text={line.text} pattern={line.kind === 'hit' ? pattern : null} />
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
}

function LineTime({ at }: { at: number }) {
  return (
    <span className="log-time" title={at === 0 ? undefined : absolute(at)}>
      {at === 0 ? '' : lineTime(at, Date.now())}
    </span>
  );
}

const LineText = memo(function LineText({ text, pattern }: { text: string; pattern: RegExp | null }) {
  const runs = marked(runsOf(text), pattern);
  if (runs.length === 1 && runs[0]?.look === '') return <>{runs[0].text}</>;
  return (
    <>
      {runs.map((run, index) =>
        run.look === '' ? (
          run.text
        ) : (
          <span key={index} className={run.look}>
            {run.text}
          </span>
        ),
      )}
    </>
  );
});
