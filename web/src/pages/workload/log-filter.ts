// Which lines of a log are shown for a search: the hits, with their numbers and the lines around them.
import { plainText } from '@/pages/workload/log-ansi';

export interface Shown {
  /** Place of the line in the whole list, from 0. */
  at: number;
  text: string;
  kind: 'line' | 'hit' | 'around' | 'gap';
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** "/…/" is a pattern, anything else is looked for as it is; null where the pattern is not valid. */
export function patternOf(wanted: string): RegExp | null {
  const source = /^\/(.+)\/$/.exec(wanted)?.[1] ?? escaped(wanted);
  try {
    return wanted ? new RegExp(source, 'i') : null;
  } catch {
    return null;
  }
}

/** All lines without a pattern; else hits and as many lines around each as asked for. */
export function shownLines(lines: string[], pattern: RegExp | null, around: number): Shown[] {
  if (!pattern) return lines.map((text, at) => ({ at, text, kind: 'line' }));
  const shown: Shown[] = [];
  let next = 0;
  const upTo = (end: number) => {
    for (; next < end; next++) shown.push({ at: next, text: lines[next] ?? '', kind: 'around' });
  };
  let last = -1;
  for (const [at, text] of lines.entries()) {
    if (!pattern.test(plainText(text))) continue;
    if (last >= 0) upTo(Math.min(last + 1 + around, at));
    const start = Math.max(next, at - around);
    if (around > 0 && last >= 0 && start > next) shown.push({ at: next, text: '', kind: 'gap' });
    next = start;
    upTo(at);
    shown.push({ at, text, kind: 'hit' });
    next = at + 1;
    last = at;
  }
  if (last >= 0) upTo(Math.min(lines.length, last + 1 + around));
  return shown;
}
