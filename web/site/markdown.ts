// Markdown of docs/ as HTML: headings, paragraphs, lists, tables, code, links. It runs when the
// dashboard is built. All text is escaped; no HTML of the source passes.

export interface Heading {
  level: number;
  id: string;
  text: string;
}

/** The text under one heading, for the search. */
export interface Section {
  id: string;
  heading: string;
  text: string;
}

export interface Rendered {
  title: string;
  html: string;
  headings: Heading[];
  sections: Section[];
  /** Targets of all links, as written. */
  links: string[];
}

/** What a link leads to; null where the site has no such page. */
export type Resolve = (target: string) => string | null;

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replace(/[&<>"]/g, (c) => ESCAPED[c] ?? c);

/** The anchor of a heading, as code hosts make it. */
export const anchor = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');

const plain = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');

function link(label: string, target: string, resolve: Resolve): string {
  const to = resolve(target);
  return to === null ? inline(label, resolve) : `<a href="${escape(to)}">${inline(label, resolve)}</a>`;
}

const INLINE = /`([^`]+)`|\[([^\]]*)\]\(([^)\s]+)\)|\*\*(.+?)\*\*|(?<![\w*])\*(?!\s)([^*]+?)\*(?!\w)/;

function inline(text: string, resolve: Resolve): string {
  const found = INLINE.exec(text);
  if (!found) return escape(text);
  const [all, code, label, target, bold, italic] = found;
  const before = escape(text.slice(0, found.index));
  const after = inline(text.slice(found.index + all.length), resolve);
  if (code !== undefined) return `${before}<code>${escape(code)}</code>${after}`;
  if (target !== undefined) return before + link(label ?? '', target, resolve) + after;
  if (bold !== undefined) return `${before}<strong>${inline(bold, resolve)}</strong>${after}`;
  return `${before}<em>${inline(italic ?? '', resolve)}</em>${after}`;
}

const cells = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, '|'));

const ITEM = /^(\s*)([-*]|\d+\.)\s+(.*)$/;
const FENCE = /^\s*```(.*)$/;
const HEADING = /^(#{1,4})\s+(.+?)\s*$/;
const begins = (line: string) => FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || /^\s*\|/.test(line);

/** Reads a document from top to bottom; each method takes the lines of one block. */
class Reader {
  private at = 0;
  readonly headings: Heading[] = [];
  readonly sections: Section[] = [];

  constructor(
    private readonly lines: string[],
    private readonly resolve: Resolve,
  ) {}

  read(): string {
    const blocks: string[] = [];
    while (this.at < this.lines.length) {
      const line = this.line();
      if (line.trim() === '') this.at++;
      else blocks.push(this.block(line));
    }
    return blocks.join('\n');
  }

  private line(): string {
    return this.lines[this.at] ?? '';
  }

  private block(line: string): string {
    if (FENCE.test(line)) return this.code();
    if (HEADING.test(line)) return this.heading();
    if (/^\s*\|/.test(line) && /^\s*\|[\s:|-]+$/.test(this.lines[this.at + 1] ?? '')) return this.table();
    if (ITEM.test(line)) return this.list();
    return this.paragraph();
  }

  private note(text: string): void {
    const last = this.sections.at(-1);
    if (last) last.text += `${last.text ? ' ' : ''}${plain(text)}`;
  }

  private heading(): string {
    const [, marks = '#', text = ''] = HEADING.exec(this.line()) ?? [];
    this.at++;
    const heading = { level: marks.length, id: anchor(plain(text)), text: plain(text) };
    this.headings.push(heading);
    this.sections.push({ id: heading.id, heading: heading.text, text: '' });
    return `<h${marks.length} id="${heading.id}">${inline(text, this.resolve)}</h${marks.length}>`;
  }

  private code(): string {
    const indent = /^\s*/.exec(this.line())?.[0].length ?? 0;
    const taken: string[] = [];
    for (this.at++; this.at < this.lines.length && !FENCE.test(this.line()); this.at++) taken.push(this.line().slice(indent));
    this.at++;
    this.note(taken.join(' '));
    return `<pre tabindex="0"><code>${escape(taken.join('\n'))}</code></pre>`;
  }

  private table(): string {
    const row = (tag: string) => {
      const text = this.line();
      this.note(cells(text).join(' '));
      return `<tr>${cells(text).map((cell) => `<${tag}>${inline(cell, this.resolve)}</${tag}>`).join('')}</tr>`;
    };
    const head = row('th');
    const body: string[] = [];
    for (this.at += 2; /^\s*\|/.test(this.line()); this.at++) body.push(row('td'));
    return `<div class="docs-table" tabindex="0" role="region" aria-label="Table"><table><thead>${head}</thead><tbody>${body.join('')}</tbody></table></div>`;
  }

  private list(): string {
    const [, indent = '', mark = '-'] = ITEM.exec(this.line()) ?? [];
    const tag = /\d/.test(mark) ? 'ol' : 'ul';
    const items: string[] = [];
    for (let item = ITEM.exec(this.line()); item && item[1] === indent; item = ITEM.exec(this.line())) {
      this.at++;
      items.push(this.item(item[3] ?? '', indent.length));
      if (this.line().trim() === '' && ITEM.exec(this.lines[this.at + 1] ?? '')?.[1] === indent) this.at++;
    }
    return `<${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`;
  }

  /** The rest of an item: further lines of its text, then what is indented under it. */
  private item(first: string, indent: number): string {
    let text = first;
    while (this.line().trim() !== '' && !begins(this.line())) text += ` ${this.lines[this.at++]?.trim()}`;
    this.note(text);
    let inner = '';
    while (ITEM.test(this.line()) || FENCE.test(this.line())) {
      if ((/^\s*/.exec(this.line())?.[0].length ?? 0) <= indent) break;
      inner += this.block(this.line());
    }
    return inline(text, this.resolve) + inner;
  }

  private paragraph(): string {
    let text = this.line().trim();
    for (this.at++; this.line().trim() !== '' && !begins(this.line()); this.at++) text += ` ${this.line().trim()}`;
    this.note(text);
    return `<p>${inline(text, this.resolve)}</p>`;
  }
}

export function render(source: string, resolve: Resolve): Rendered {
  const links: string[] = [];
  const reader = new Reader(source.split('\n'), (target) => {
    links.push(target);
    return resolve(target);
  });
  const html = reader.read();
  return { title: reader.headings[0]?.text ?? '', html, headings: reader.headings, sections: reader.sections, links };
}
