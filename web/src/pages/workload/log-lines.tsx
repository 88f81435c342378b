import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';

const level = (line: string) => (/\b(ERROR|CRITICAL|FATAL|Traceback|Exception)\b/.test(line) ? ' bad' : /\bWARN(ING)?\b/.test(line) ? ' wait' : '');

interface LinesProps {
  lines: string[];
  follow: boolean;
  wrap: boolean;
  offset: number | null;
  onScrollAway: () => void;
  /** Said when there is no line. */
  none?: string;
}

/** Any number of lines; only those in sight are drawn. */
export function Lines({ lines, follow, wrap, offset, onScrollAway, none = 'No line has it.' }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: lines.length, getScrollElement: () => box.current, estimateSize: () => 19, overscan: 30 });
  useEffect(() => {
    if (follow && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [follow, lines, virtual]);
  if (lines.length === 0) return <p className="log-none muted small">{none}</p>;
  return (
    <div ref={box} className={`log ${wrap ? 'wraps' : ''}`} tabIndex={0} role="log" aria-label="Log" aria-live="off" onWheel={(e) => e.deltaY < 0 && onScrollAway()}>
      <div style={{ height: virtual.getTotalSize(), position: 'relative', minWidth: '100%' }}>
        {virtual.getVirtualItems().map((item) => (
          <div key={item.key} data-index={item.index} ref={virtual.measureElement} className={`log-line${level(lines[item.index] ?? '')}`} style={{ transform: `translateY(${item.start}px)` }}>
            {offset === null ? null : <span className="log-number">{item.index + 1 + offset}</span>}
            {lines[item.index]}
          </div>
        ))}
      </div>
    </div>
  );
}
