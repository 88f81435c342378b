// Running and waiting work as one bar per person: cells are GPUs, the nth cell is the person's nth GPU.
import type { QueueLine, RunningLine } from '@/api/engine';

export interface Cell {
  workloadId: string;
  name: string;
  projectName: string;
  /** GPUs, or a part of one. */
  amount: number;
  state: 'runs' | 'waits';
}

export interface PersonBar {
  userName: string;
  cells: Cell[];
  held: number;
  wanted: number;
}

/** The person's own work in the order in which the server counts it; the one who holds least first. */
export function peopleOf(running: RunningLine[], queue: QueueLine[]): PersonBar[] {
  const bars = new Map<string, PersonBar>();
  const of = (userName: string) => {
    const found = bars.get(userName) ?? { userName, cells: [], held: 0, wanted: 0 };
    bars.set(userName, found);
    return found;
  };
  for (const line of [...running].filter((l) => l.held > 0).sort((a, b) => a.userOrdinal - b.userOrdinal)) {
    const bar = of(line.userName);
    bar.held += line.held;
    bar.cells.push({ workloadId: line.workloadId, name: line.name, projectName: line.projectName, amount: line.held, state: 'runs' });
  }
  for (const line of [...queue].filter((l) => l.gpu > 0).sort((a, b) => a.position - b.position)) {
    const bar = of(line.userName);
    bar.wanted += line.gpu;
    bar.cells.push({ workloadId: line.workloadId, name: line.name, projectName: line.projectName, amount: line.gpu, state: 'waits' });
  }
  return [...bars.values()].sort((a, b) => b.held - a.held || b.wanted - a.wanted || a.userName.localeCompare(b.userName));
}

/** GPUs that work out of view uses, at least: parts in view may lie on as many GPUs as there are parts. */
export const othersOf = (inUse: number, running: RunningLine[]): number => Math.max(0, inUse - running.reduce((sum, line) => sum + Math.ceil(line.held), 0));

/**
 * The largest n for which everybody in view could have their first n GPUs at once: the sum of
 * min(demand, n) stays within the GPUs that there are. Null where all demand fits.
 */
export function cutOf(bars: PersonBar[], capacity: number): number | null {
  const demand = bars.map((bar) => bar.held + bar.wanted);
  const total = demand.reduce((sum, d) => sum + d, 0);
  if (total <= capacity || bars.length === 0) return null;
  // Water filling: the level at which the sum of min(demand, level) is the capacity.
  let left = capacity;
  const rising = [...demand].sort((a, b) => a - b);
  for (const [index, d] of rising.entries()) {
    const level = left / (rising.length - index);
    if (d >= level) return level;
    left -= d;
  }
  return null;
}
