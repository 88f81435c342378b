// A plot on a canvas: axes, what is drawn between them, and a rectangle that the pointer draws.
import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { useStore } from '@/lib/store';
import { theme } from '@/lib/theme';
import { marks, placeOf, valueAt, type Field } from '@/pages/studies/fields';

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Pen {
  ctx: CanvasRenderingContext2D;
  box: Box;
  color: (name: string) => string;
  /** Eight tones from the best rank to the worst. */
  tones: string[];
  x: (place: number) => number;
  y: (place: number) => number;
}

export interface PlotProps {
  label: string;
  height?: number;
  /** Room beside the drawing, for marks of the axes. */
  room?: Partial<Box>;
  x?: Field;
  y?: Field;
  draw: (pen: Pen) => void;
  /** The part that was drawn over, as places between 0 and 1; y counts from below. */
  onBrush?: (from: { x: number; y: number }, to: { x: number; y: number }) => void;
  /** Finds the trial at a point, in pixels of the plot. */
  at?: (x: number, y: number, box: Box) => Found | null;
  onPick?: (trial: number) => void;
}

export interface Found {
  trial: number;
  text: string;
  x: number;
  y: number;
}

const HEIGHT = 260;
const ROOM: Box = { left: 58, top: 22, right: 12, bottom: 38 };
const DRAG = 5;

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

export function mixed(from: string, to: string, part: number): string {
  const [a, b] = [channels(from), channels(to)];
  return `rgb(${a.map((v, i) => Math.round(v + ((b[i] ?? v) - v) * part)).join(' ')})`;
}

const TONES = 8;
export const toneOf = (rank: number) => Math.min(TONES - 1, Math.floor(rank * TONES));

function drawAxes({ ctx, box, color, x, y }: Pen, across?: Field, up?: Field): void {
  ctx.font = `11px ${color('--font')}`;
  ctx.fillStyle = color('--ink-3');
  ctx.strokeStyle = color('--border');
  ctx.lineWidth = 1;
  if (up) {
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'left';
    ctx.fillText(fitted(ctx, up.label, box.right), 4, 8);
    ctx.textAlign = 'right';
    for (const value of marks(up, Math.max(2, (box.bottom - box.top) / 40))) {
      const at = Math.round(y(placeOf(up, value))) + 0.5;
      line(ctx, box.left, at, box.right, at);
      ctx.fillText(fitted(ctx, up.text(value), box.left - 10), box.left - 6, at);
    }
  }
  if (across) {
    ctx.textAlign = 'center';
    ctx.textBaseline = 'top';
    let until = -Infinity;
    for (const value of marks(across, Math.max(2, (box.right - box.left) / 70))) {
      const at = Math.round(x(placeOf(across, value))) + 0.5;
      line(ctx, at, box.top, at, box.bottom);
      const text = fitted(ctx, across.text(value), 90);
      const half = ctx.measureText(text).width / 2;
      if (at - half < until + 4) continue;
      ctx.fillText(text, at, box.bottom + 6);
      until = at + half;
    }
    ctx.fillStyle = color('--ink-2');
    ctx.fillText(fitted(ctx, across.label, box.right - box.left), (box.left + box.right) / 2, box.bottom + 22);
  }
}

export function fitted(ctx: CanvasRenderingContext2D, text: string, most: number): string {
  if (ctx.measureText(text).width <= most) return text;
  let cut = text;
  while (cut.length > 1 && ctx.measureText(`${cut}…`).width > most) cut = cut.slice(0, -1);
  return `${cut}…`;
}

export function line(ctx: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x2, y2);
  ctx.stroke();
}

function penOf(canvas: HTMLCanvasElement, width: number, height: number, box: Box): Pen | null {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const ctx = canvas.getContext('2d');
  if (!ctx) return null;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const tones = Array.from({ length: TONES }, (_, i) => mixed(color('--chart-1'), color('--surface-3'), (i / (TONES - 1)) * 0.9));
  return { ctx, box, color, tones, x: (p) => box.left + p * (box.right - box.left), y: (p) => box.bottom - p * (box.bottom - box.top) };
}

function useWidth(ref: React.RefObject<HTMLElement>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setWidth(element.clientWidth));
    watch.observe(element);
    setWidth(element.clientWidth);
    return () => watch.disconnect();
  }, [ref]);
  return width;
}

interface Point {
  x: number;
  y: number;
}

export function Plot({ label, height = HEIGHT, room, x, y, draw, onBrush, at, onPick }: PlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(frame);
  const shown = useStore(theme);
  const space = { ...ROOM, ...room };
  const box: Box = { left: space.left, top: space.top, right: Math.max(space.left + 10, width - space.right), bottom: height - space.bottom };
  const [from, setFrom] = useState<Point | null>(null);
  const [to, setTo] = useState<Point | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (!canvas.current || width === 0) return;
    const pen = penOf(canvas.current, width, height, box);
    if (!pen) return;
    drawAxes(pen, x, y);
    draw(pen);
  }, [draw, x, y, width, height, shown]); // eslint-disable-line
  const pointOf = (event: PointerEvent): Point => {
    const place = (frame.current as HTMLElement).getBoundingClientRect();
    return { x: event.clientX - place.left, y: event.clientY - place.top };
  };
  const part = (p: Point) => ({ x: clamp((p.x - box.left) / (box.right - box.left)), y: clamp((box.bottom - p.y) / (box.bottom - box.top)) });
  const finish = () => {
    const drawn = from && to && Math.abs(from.x - to.x) + Math.abs(from.y - to.y) > DRAG;
    if (drawn) {
      const [a, b] = [part(from), part(to)];
      onBrush?.({ x: Math.min(a.x, b.x), y: Math.min(a.y, b.y) }, { x: Math.max(a.x, b.x), y: Math.max(a.y, b.y) });
    } else if (found) onPick?.(found.trial);
    setFrom(null);
    setTo(null);
  };
  return (
    <div
      ref={frame}
      className={`plot ${onBrush ? 'takes-brush' : ''}`}
      style={{ height }}
      onPointerDown={(event) => {
        if (!onBrush || event.button !== 0 || event.pointerType === 'touch') return;
        (event.target as Element).setPointerCapture(event.pointerId);
        setFrom(pointOf(event));
        setTo(null);
      }}
      onPointerMove={(event) => {
        const point = pointOf(event);
        if (from) setTo(point);
        else if (at) setFound(at(point.x, point.y, box));
      }}
      onPointerUp={() => (from ? finish() : undefined)}
      onPointerCancel={() => (setFrom(null), setTo(null))}
      onPointerLeave={() => setFound(null)}
      onClick={() => (!onBrush && found ? onPick?.(found.trial) : undefined)}
    >
      <canvas ref={canvas} role="img" aria-label={label} />
      {from && to ? <span className="plot-brush" style={{ left: Math.min(from.x, to.x), top: Math.min(from.y, to.y), width: Math.abs(from.x - to.x), height: Math.abs(from.y - to.y) }} /> : null}
      {found && !to ? (
        <span className={`plot-tip ${found.x > width / 2 ? 'left' : ''}`} style={{ left: found.x, top: found.y }}>
          {found.text}
        </span>
      ) : null}
    </div>
  );
}

const clamp = (v: number) => Math.min(1, Math.max(0, v));

/** The range of a field between two places. */
export const between = (field: Field, low: number, high: number) => ({ field: field.id, low: rounded(valueAt(field, low)), high: rounded(valueAt(field, high)) });
const rounded = (v: number) => Number(v.toPrecision(5));
