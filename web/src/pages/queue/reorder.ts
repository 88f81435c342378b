// Moving one's own waiting work: inside a project a higher priority comes first, then age. So a
// place further up or down is another priority class, and the server decides what it means.
import type { QueueLine } from '@/api/engine';

// Lowest first. The server knows the same names and refuses others.
export const CLASSES: [name: string, value: number][] = [
  ['very-low', 25],
  ['low', 40],
  ['train', 50],
  ['medium-low', 65],
  ['interactive-preemptible', 75],
  ['medium', 80],
  ['medium-high', 90],
  ['build', 100],
  ['high', 125],
  ['very-high', 150],
];

export interface Move {
  line: QueueLine;
  /** The line it would stand before or after. */
  other: QueueLine;
  side: 'before' | 'after';
  priorityClass: string;
}

const byPriority = (line: QueueLine) => line.terms?.policy === 'FairShare' || line.terms?.policy === 'DecayedShare';
export const isMovable = (line: QueueLine, me: string | undefined) => line.userName === me && byPriority(line);

/** The nearest class that puts `line` on that side of `other`; null if there is none. */
export function moveTo(line: QueueLine, other: QueueLine, side: Move['side']): Move | null {
  if (!line.terms || !other.terms || line.projectName !== other.projectName || line.workloadId === other.workloadId) return null;
  const older = line.terms.submittedAt < other.terms.submittedAt;
  const theirs = other.terms.priority;
  const fits = ([, value]: [string, number]) => (side === 'before' ? value > theirs || (value === theirs && older) : value < theirs || (value === theirs && !older));
  const found = side === 'before' ? CLASSES.find(fits) : CLASSES.findLast(fits);
  return found && found[0] !== line.terms.priorityClass ? { line, other, side, priorityClass: found[0] } : null;
}

/** One place up or down among the project's own lines. */
export function step(lines: QueueLine[], line: QueueLine, way: 'up' | 'down'): Move | null {
  const own = lines.filter((l) => l.projectName === line.projectName && l.terms);
  const at = own.findIndex((l) => l.workloadId === line.workloadId);
  const other = own[way === 'up' ? at - 1 : at + 1];
  return at < 0 || !other ? null : moveTo(line, other, way === 'up' ? 'before' : 'after');
}
