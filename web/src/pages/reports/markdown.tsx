// Markdown as elements of the page. The text comes from other people: it is read into tokens and every
// token becomes an element made here, so that no HTML of the text ever reaches the page. HTML is
// shown as text, links lead to http, https, mailto or into the dashboard, pictures of other places
// are links.
import { Lexer, type Token, type Tokens } from 'marked';
import { Fragment, memo, type ReactNode } from 'react';
import { Link } from 'react-router-dom';

/** What a block of code in a language of ours becomes; null: it is code like any other. `place` counts them. */
export type RenderCode = (language: string, text: string, place: number) => ReactNode | null;

const MOST_DEPTH = 20;

export type Target = { kind: 'page'; to: string } | { kind: 'outside'; href: string } | null;

/** Where a link may lead. Anything but these ways is no link: javascript:, data:, //host and so on. */
export function targetOf(written: string): Target {
  // Browsers drop these inside an address, so that "java\nscript:" would be one.
  const href = written.replace(/[\u0000-\u0020\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff]/g, '');
  if (/^\/(?![/\\])/.test(href)) return { kind: 'page', to: href };
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return null;
  try {
    const url = new URL(href);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? { kind: 'outside', href: url.href } : null;
  } catch {
    return null;
  }
}

/** The lexer escapes some texts for HTML; React does that itself. */
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const plain = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (all) => ENTITIES[all] ?? all);

function Anchor({ written, title, children }: { written: string; title?: string | null; children: ReactNode }) {
  const target = targetOf(written);
  if (target === null) return <span title={title ?? undefined}>{children}</span>;
  if (target.kind === 'page') return <Link to={target.to} title={title ?? undefined}>{children}</Link>;
  return (
    <a href={target.href} title={title ?? undefined} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

interface Way {
  code: RenderCode;
  depth: number;
  /** The greatest heading of the text. */
  top: number;
  /** Blocks of code so far. */
  seen: { blocks: number };
}

const deeper = (way: Way): Way => ({ ...way, depth: way.depth + 1 });

function list(token: Tokens.List, way: Way): ReactNode {
  const items = token.items.map((item, i) => (
    <li key={i}>
      {item.task ? <input type="checkbox" checked={item.checked ?? false} disabled readOnly aria-label={item.checked ? 'done' : 'open'} /> : null}
      {tokens(item.tokens, way)}
    </li>
  ));
  return token.ordered ? <ol start={Number(token.start) || undefined}>{items}</ol> : <ul>{items}</ul>;
}

function table(token: Tokens.Table, way: Way): ReactNode {
  const cell = (one: Tokens.TableCell) => tokens(one.tokens, way);
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label="Table">
      <table className="table compact">
        <thead>
          <tr>{token.header.map((one, i) => <th key={i} scope="col" className={one.align === 'right' ? 'right' : undefined}>{cell(one)}</th>)}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, i) => (
            <tr key={i}>{row.map((one, n) => <td key={n} className={one.align === 'right' ? 'right' : undefined}>{cell(one)}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The page has the first heading; those of the text stand below it, without a step left out. */
function heading(token: Tokens.Heading, way: Way): ReactNode {
  const inner = tokens(token.tokens, way);
  if (token.depth <= way.top) return <h2>{inner}</h2>;
  if (token.depth === way.top + 1) return <h3>{inner}</h3>;
  return <h4>{inner}</h4>;
}

const topOf = (all: Token[]) => Math.min(6, ...all.flatMap((token) => (token.type === 'heading' ? [(token as Tokens.Heading).depth] : [])));

function code(token: Tokens.Code, way: Way): ReactNode {
  const language = (token.lang ?? '').trim().split(/\s+/)[0] ?? '';
  return way.code(language, token.text, way.seen.blocks++) ?? (
    <pre tabIndex={0}>
      <code>{token.text}</code>
    </pre>
  );
}

function inline(token: Token, way: Way): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{tokens(token.tokens, way)}</strong>;
    case 'em':
      return <em>{tokens(token.tokens, way)}</em>;
    case 'del':
      return <del>{tokens(token.tokens, way)}</del>;
    case 'codespan':
      return <code>{plain((token as Tokens.Codespan).text)}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Anchor written={(token as Tokens.Link).href} title={(token as Tokens.Link).title}>{tokens(token.tokens, way)}</Anchor>;
    case 'image':
      return <Anchor written={(token as Tokens.Image).href} title={(token as Tokens.Image).title}>{(token as Tokens.Image).text || 'picture'}</Anchor>;
    case 'escape':
    case 'text':
      return 'tokens' in token && token.tokens ? tokens(token.tokens, way) : plain((token as Tokens.Text).text);
    default:
      return token.raw; // HTML and whatever else there may be: as it was written
  }
}

function block(token: Token, way: Way): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return heading(token as Tokens.Heading, way);
    case 'paragraph':
      return <p>{tokens(token.tokens, way)}</p>;
    case 'blockquote':
      return <blockquote>{tokens(token.tokens, way)}</blockquote>;
    case 'hr':
      return <hr />;
    case 'list':
      return list(token as Tokens.List, way);
    case 'table':
      return table(token as Tokens.Table, way);
    case 'code':
      return code(token as Tokens.Code, way);
    default:
      return inline(token, way);
  }
}

function tokens(found: Token[] | undefined, way: Way): ReactNode {
  if (!found) return null;
  if (way.depth > MOST_DEPTH) return found.map((token) => token.raw).join('');
  return found.map((token, i) => <Fragment key={i}>{block(token, deeper(way))}</Fragment>);
}

// Texts can be made so that the lexer takes the square or the cube of their length: an item of many lines, links that
// never close. Nobody's report may hold up those who open it.
const MOST_BLOCK = 32 * 1024; // characters between blank lines
const MOST_INLINE = 4000; // characters of a paragraph
const MOST_BRACKETS = 200; // of a paragraph
const MOST_MS = 500;

interface Inner {
  inlineQueue: { src: string; tokens: Token[] }[];
}

const asText = (raw: string): Token => ({ type: 'code', raw, text: raw, lang: '' }) as Tokens.Code;

// As the lexer reads them.
const OPENS_CODE = /^(`{3,}(?=[^`]*$)|~{3,})/;
const MARK = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** A text in parts that mean the same alone: split at blank lines, outside of lists, quotes and blocks of code, and behind
 *  a block of code that is a part of its own. */
export function partsOf(text: string): string[] {
  const parts: string[][] = [[]];
  let fence = '';
  let split: 'never' | 'maybe' | 'surely' = 'never';
  for (const line of text.split('\n')) {
    const alone = /^[^\s>]/.test(line) && !/^([-*+]|\d{1,9}[.)])(\s|$)/.test(line);
    if (split === 'surely' || (split === 'maybe' && alone)) parts.push([]);
    const part = parts.at(-1) as string[];
    part.push(line);
    split = fence === '' && line.trim() === '' ? 'maybe' : 'never';
    const [, ticks = '', rest = ''] = MARK.exec(line) ?? [];
    if (ticks === '') continue;
    if (fence === '') fence = ticks.startsWith('`') && rest.includes('`') ? '' : ticks;
    else if (ticks.startsWith(fence) && /^[~`]*\s*$/.test(rest)) {
      fence = '';
      split = OPENS_CODE.test(part[0] ?? '') ? 'surely' : 'maybe';
    }
  }
  return parts.map((part) => part.join('\n'));
}

/** The tokens of a part; one that is too long, or is nested too deep, stays as it stands. */
function readPart(made: Lexer, part: string, late: boolean): Token[] {
  if (late || (part.length > MOST_BLOCK && !OPENS_CODE.test(part.slice(0, part.indexOf('\n'))))) return [asText(part)];
  const queue = (made as unknown as Inner).inlineQueue;
  const waiting = queue.length;
  try {
    return made.blockTokens(`${part}\n`, []);
  } catch {
    queue.length = waiting;
    made.state = { inLink: false, inRawBlock: false, top: true };
    return [asText(part)];
  }
}

const mayBeSlow = (src: string) => src.length > MOST_INLINE || (src.match(/\[/g)?.length ?? 0) > MOST_BRACKETS;

/** The tokens of a text; what takes too long stays as it stands. */
export function read(text: string): Token[] {
  const made = new Lexer({ gfm: true });
  let end = performance.now() + MOST_MS;
  const all = partsOf(text.replace(/\r\n|\r/g, '\n')).flatMap((part) => readPart(made, part, performance.now() > end));
  end = performance.now() + MOST_MS;
  for (const { src, tokens: into } of (made as unknown as Inner).inlineQueue) {
    if (mayBeSlow(src) || performance.now() > end) into.push({ type: 'text', raw: src, text: src } as Token);
    else made.inlineTokens(src, into);
  }
  return all;
}

export const Markdown = memo(function Markdown({ text, code: render }: { text: string; code: RenderCode }) {
  const all = read(text);
  return <div className="markdown">{tokens(all, { code: render, depth: 0, top: topOf(all), seen: { blocks: 0 } })}</div>;
});
