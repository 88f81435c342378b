// Log text as a terminal would leave it: a carriage return goes back to the start of the line, so a
// progress bar is one line and not a thousand. Cursor sequences are taken out; colours stay where asked.

// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** One line without its line feed. */
export function foldLine(line: string): string {
  const plain = line.includes('\u001b') ? line.replace(ESCAPES, '') : line;
  if (!plain.includes('\r')) return plain;
  let shown = '';
  for (const part of plain.split('\r')) {
    if (part !== '') shown = part + shown.slice(part.length);
  }
  return shown;
}

// eslint-disable-next-line no-control-regex
const COLOUR = /^\u001b\[[0-9;]*m$/;
const keepColours = (line: string) => line.replace(ESCAPES, (order) => (COLOUR.test(order) ? order : ''));

/** The same with its colours, unless a carriage return leaves a part of what stood there before. */
export function foldColoured(line: string): string {
  if (!line.includes('\u001b')) return foldLine(line);
  if (!line.includes('\r')) return keepColours(line);
  const last = line.split('\r').filter((part) => part !== '').at(-1) ?? '';
  const whole = foldLine(line);
  return foldLine(last) === whole ? keepColours(last) : whole;
}

/** Takes text in pieces and gives whole lines; keeps what has no end yet. */
export class LineFolder {
  private rest = '';

  constructor(private readonly fold: (line: string) => string = foldLine) {}

  push(piece: string): string[] {
    const parts = (this.rest + piece).split('\n');
    this.rest = shorten(parts.pop() ?? '');
    return parts.map((line) => this.fold(line));
  }

  /** The line that is still being written. */
  get open(): string {
    return this.fold(this.rest);
  }

  clear(): void {
    this.rest = '';
  }
}

// A progress bar that never ends its line must not grow without end.
function shorten(rest: string): string {
  if (rest.length < 65536) return rest;
  const last = rest.lastIndexOf('\r', rest.length - 2);
  return last > 0 ? rest.slice(last) : rest.slice(-65536);
}
