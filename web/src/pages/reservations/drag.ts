// Choosing a time by dragging over a calendar.
import { useRef, useState, type PointerEvent } from 'react';
import type { Column } from '@/pages/reservations/layout';

/** The columns from one to another, whichever comes first; a column that has begun counts from `now` on. */
export function spanOf(columns: Column[], first: number, last: number, now: number): Column | null {
  const [a, b] = [Math.min(first, last), Math.max(first, last)];
  const [begin, end] = [columns[a], columns[b]];
  if (!begin || !end || end.to <= now) return null;
  return { from: Math.max(begin.from, now), to: end.to };
}

interface Drag {
  first: number;
  last: number;
}

/** Handlers for the box around the tracks, and what is chosen so far. */
export function useDrag(columns: Column[], now: number, done: ((chosen: Column, project: string | null) => void) | undefined) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const track = useRef<HTMLElement | null>(null);
  const columnAt = (x: number) => {
    const box = track.current?.getBoundingClientRect();
    if (!box || box.width === 0) return 0;
    return Math.min(columns.length - 1, Math.max(0, Math.floor(((x - box.left) / box.width) * columns.length)));
  };
  const begin = (event: PointerEvent) => {
    const target = event.target as HTMLElement;
    const found = target.closest<HTMLElement>('.gantt-track');
    if (!done || event.button !== 0 || event.pointerType !== 'mouse' || !found || target.closest('a')) return;
    track.current = found;
    const first = columnAt(event.clientX);
    setDrag({ first, last: first });
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => drag && setDrag({ ...drag, last: columnAt(event.clientX) });
  const end = () => {
    const chosen = drag && spanOf(columns, drag.first, drag.last, now);
    setDrag(null);
    if (chosen) done?.(chosen, track.current?.closest<HTMLElement>('[data-project]')?.dataset.project ?? null);
  };
  const handlers = { onPointerDown: begin, onPointerMove: move, onPointerUp: end, onPointerCancel: () => setDrag(null) };
  return { handlers, chosen: drag && spanOf(columns, drag.first, drag.last, now) };
}
