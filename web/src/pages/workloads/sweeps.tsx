// Items of one array or sweep as one row: the first of them stands for all, and unfolds.
import { useState } from 'react';
import type { Workload } from '@/api/queries';
import { plural } from '@/lib/quantity';
import { WorkloadName } from '@/pages/workloads/columns';
import { ChevronDown, ChevronRight } from '@/ui/icons';
import type { Column } from '@/ui/table';

export interface Fold {
  /** The rows to show. */
  rows: Workload[];
  columns: Column<Workload>[];
}

const idOf = (w: Workload) => w.array?.id ?? null;

/** "sweep" of "sweep-3". */
export const baseName = (w: Workload) => w.name.replace(/-\d+$/, '');

/** "12 running, 3 failed": of the items on this page, in the order of the list of phases. */
export function countsOf(items: Workload[]): string {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item.phase, (counts.get(item.phase) ?? 0) + 1);
  return [...counts].map(([phase, count]) => `${count} ${phase.toLowerCase()}`).join(', ');
}

/** Rows in their order, with only the first item of each folded sweep. */
export function foldedRows(rows: Workload[], open: Set<string>): { rows: Workload[]; items: Map<string, Workload[]> } {
  const items = new Map<string, Workload[]>();
  for (const row of rows) {
    const id = idOf(row);
    if (id) items.set(id, [...(items.get(id) ?? []), row]);
  }
  const seen = new Set<string>();
  const shown = rows.filter((row) => {
    const id = idOf(row);
    if (!id || (items.get(id)?.length ?? 0) < 2 || open.has(id)) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
  return { rows: shown, items };
}

export function useSweeps(all: Workload[], columns: Column<Workload>[]): Fold {
  const [open, setOpen] = useState<Set<string>>(new Set());
  const { rows, items } = foldedRows(all, open);
  const firsts = new Map([...items].filter(([, list]) => list.length > 1).map(([id, list]) => [list[0]?.id ?? '', { id, list }]));
  if (firsts.size === 0) return { rows, columns };
  const toggle = (id: string) =>
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const cell = (w: Workload) => {
    const sweep = firsts.get(w.id);
    if (!sweep) return <WorkloadName workload={w} />;
    const isOpen = open.has(sweep.id);
    const size = w.array?.size ?? sweep.list.length;
    return (
      <span className="stack none">
        <button type="button" className="link row sweep" aria-expanded={isOpen} onClick={() => toggle(sweep.id)}>
          {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          <span className="strong">{baseName(w)}</span>
          <span className="muted tiny">{plural(size, 'item')}; here {countsOf(sweep.list)}</span>
        </button>
        {isOpen ? <WorkloadName workload={w} /> : null}
      </span>
    );
  };
  return { rows, columns: columns.map((column) => (column.id === 'name' ? { ...column, cell } : column)) };
}
