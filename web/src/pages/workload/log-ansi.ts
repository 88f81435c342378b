// Colours that programs write into their logs, as parts of a line.
export interface Run {
  text: string;
  /** Names of classes, such as "ansi-31 ansi-bold"; empty for plain text. */
  look: string;
}

// Orders to a terminal: those for colours end with "m"; all others are left out.
// eslint-disable-next-line no-control-regex
const ORDER = /\u001b\[([0-9;?]*)([A-Za-z])|\u001b\][^\u0007]*\u0007|\u001b[()][A-Z0-9]/g;

/** Only what people read. */
export const plainText = (line: string) => (line.includes('\u001b') ? line.replace(ORDER, '') : line);

interface Look {
  color: number | null;
  bold: boolean;
  faint: boolean;
}
const PLAIN: Look = { color: null, bold: false, faint: false };

/** The sixteen colours; finer ones are taken for the nearest of these by their first number. */
function after(look: Look, codes: number[]): Look {
  let next = look;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 0) next = PLAIN;
    else if (code === 1) next = { ...next, bold: true };
    else if (code === 2) next = { ...next, faint: true };
    else if (code === 22) next = { ...next, bold: false, faint: false };
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) next = { ...next, color: code };
    else if (code === 39) next = { ...next, color: null };
    else if (code === 38 || code === 48) {
      const index = codes[i + 1] === 5 ? (codes[i + 2] ?? 0) : null;
      if (code === 38 && index !== null && index < 16) next = { ...next, color: index < 8 ? 30 + index : 82 + index };
      i += codes[i + 1] === 5 ? 2 : 4;
    }
  }
  return next;
}

const nameOf = (look: Look) => [look.color === null ? '' : `ansi-${look.color}`, look.bold ? 'ansi-bold' : '', look.faint ? 'ansi-faint' : ''].filter(Boolean).join(' ');

export function runsOf(line: string): Run[] {
  if (!line.includes('\u001b')) return [{ text: line, look: '' }];
  const runs: Run[] = [];
  let look = PLAIN;
  let from = 0;
  const push = (to: number) => to > from && runs.push({ text: line.slice(from, to), look: nameOf(look) });
  for (const found of line.matchAll(ORDER)) {
    push(found.index);
    from = found.index + found[0].length;
    if (found[2] === 'm') look = after(look, (found[1] || '0').split(';').map(Number));
  }
  push(line.length);
  return runs;
}

/** The same runs, cut where a pattern matches; what matches has the further look "log-hit". */
export function marked(runs: Run[], pattern: RegExp | null): Run[] {
  if (!pattern) return runs;
  const regex = new RegExp(pattern.source, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`);
  return runs.flatMap((run) => {
    const parts: Run[] = [];
    let from = 0;
    for (const found of run.text.matchAll(regex)) {
      if (found[0] === '') continue;
      if (found.index > from) parts.push({ text: run.text.slice(from, found.index), look: run.look });
      parts.push({ text: found[0], look: `${run.look} log-hit`.trim() });
      from = found.index + found[0].length;
    }
    if (from < run.text.length) parts.push({ text: run.text.slice(from), look: run.look });
    return parts;
  });
}
