// Turns the words of an alternative ("with 2 GPUs", "on pool dev") into changes of the form.
import { PRIORITIES } from '@/pages/new-workload/priorities';

// The lowest class of at least this priority.
const classOf = (priority: number) => PRIORITIES.find(([, value]) => value >= priority)?.[0] ?? 'very-high';

const PATTERNS: [RegExp, (match: RegExpMatchArray) => Record<string, string>][] = [
  [/^with ([0-9.]+) GPUs?\b/i, (m) => ({ gpu: m[1] ?? '' })],
  [/^with ([0-9.]+) CPUs?\b/i, (m) => ({ cpu: m[1] ?? '' })],
  [/^with ([0-9]+) MiB of memory\b/i, (m) => ({ memory: `${m[1]}Mi` })],
  [/^with ([0-9]+) tasks?\b/i, (m) => ({ workers: m[1] ?? '' })],
  [/^with a time limit of ([0-9]+) min\b/i, (m) => ({ minutes: m[1] ?? '' })],
  [/^on pool ([A-Za-z0-9._-]+)/i, (m) => ({ pool: m[1] ?? '' })],
  [/^with priority ([0-9]+)\b/i, (m) => ({ priority: classOf(Number(m[1])) })],
  [/^as training\b/i, () => ({ type: 'Training' })],
  [/^as preemptible\b/i, () => ({ preemptible: 'true' })],
];

/** Address parameters for the form, or null for a change it cannot make. */
export function applyChange(text: string): string | null {
  for (const [pattern, make] of PATTERNS) {
    const match = text.match(pattern);
    if (match) return new URLSearchParams(make(match)).toString();
  }
  return null;
}
