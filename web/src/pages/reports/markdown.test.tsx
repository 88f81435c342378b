import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown, partsOf, targetOf, type RenderCode } from '@/pages/reports/markdown';

const asCode: RenderCode = () => null;
const html = (text: string, code: RenderCode = asCode) =>
  renderToStaticMarkup(
    <StaticRouter location="/">
      <Markdown text={text} code={code} />
    </StaticRouter>,
  );

// Tags that the renderer makes itself, with the attributes that they may have.
const TAGS = /^<\/?(div|p|h2|h3|h4|ul|ol|li|strong|em|del|code|pre|br|hr|a|blockquote|span|table|thead|tbody|tr|th|td|input)(\s(class|href|title|target|rel|tabindex|role|aria-label|scope|start|type|checked|disabled|readonly)="[^"<>]*")*\/?>$/;

/** Every tag of the page is one of ours: nothing of the text became markup. */
function onlyOurTags(page: string): void {
  for (const [tag] of page.matchAll(/<[^>]*>/g)) expect(tag).toMatch(TAGS);
  for (const [, href = ''] of page.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(https?:\/\/|mailto:|\/(?!\/))/);
}

describe('markdown', () => {
  it('becomes headings, lists, tables, code and links', () => {
    const page = html('# A\n\nText **bold** and `x < 1`.\n\n- one\n- [x] two\n\n| a | b |\n|--|--:|\n| 1 | 2 |\n\n[runs](/runs) [out](https://example.org/a?b=1&c=2)\n');
    expect(page).toContain('<h2>A</h2>');
    expect(page).toContain('<strong>bold</strong> and <code>x &lt; 1</code>');
    expect(page).toContain('<td class="right">2</td>');
    expect(page).toContain('href="/runs"');
    expect(page).toContain('href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow"');
    onlyOurTags(page);
  });
  it('keeps together what blank lines do not part', () => {
    expect(html('- one\n\n- two\n\n  more\n').match(/<ul>/g)).toHaveLength(1);
    expect(html('1. one\n\n2. two\n\nafter')).toContain('<ol start="1">');
    expect(html('```\na\n\nb\n```\nafter')).toContain('<code>a\n\nb</code>');
    expect(html('> a\n\ntext [x][r]\n\n[r]: /runs')).toContain('<a href="/runs"');
    expect(html(`\`\`\`\n${'line\n\n'.repeat(20_000)}\`\`\`\n\n**bold**`)).toContain('<strong>bold</strong>');
    expect(partsOf('a\nb\n\nc\n\n- d\n\n  e\nf')).toEqual(['a\nb\n', 'c\n\n- d\n\n  e\nf']);
  });
  it('hands blocks of our languages over', () => {
    const page = html('```chart\nmetric: loss\n```\n\n```py\n1 < 2\n```', (language, text) => (language === 'chart' ? <p>{text}</p> : null));
    expect(page).toContain('<p>metric: loss</p>');
    expect(page).toContain('<code>1 &lt; 2</code>');
  });
});

const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'a <b onmouseover="alert(1)">b</b> c',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<svg/onload=alert(1)>',
  '<style>@import "//evil"</style>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java&#10;script:alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:msgbox(1))',
  '[x](//evil.example/a)',
  '[x](/\\evil.example/a)',
  '![x](javascript:alert(1))',
  '![x](https://evil.example/pixel.png)',
  '![x"onerror="alert(1)](https://evil.example/"onerror="alert(1))',
  '[x](https://evil.example/" onclick="alert(1))',
  '[x](https://a.example "t\\" onclick=\\"alert(1)")',
  '[a]: javascript:alert(1)\n\n[a]',
  '<javascript:alert(1)>',
  'https://a.example/<script>alert(1)</script>',
  '`<img src=x onerror=alert(1)>`',
  '```chart"><script>alert(1)</script>\nx\n```',
  '```<img/src=x>\n</code></pre><script>alert(1)</script>\n```',
  '| a<script>alert(1)</script> |\n|--|\n| <img src=x onerror=alert(1)> |',
  '# <script>alert(1)</script>',
  '- <details open ontoggle=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;img src=x onerror=alert(1)&amp;gt;',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '\\<script\\>alert(1)\\</script\\>',
];

describe('markdown of somebody who means harm', () => {
  it.each(ATTACKS)('makes no markup and no link of its own: %s', (text) => {
    onlyOurTags(html(text));
  });
  it('asks no other server for a picture', () => {
    expect(html('![x](https://evil.example/pixel.png)')).not.toContain('<img');
  });
  it('ends, however deep and long it is', () => {
    onlyOurTags(html(`${'> '.repeat(500)}x`));
    onlyOurTags(html(`${'['.repeat(2000)}x${'](y)'.repeat(2000)}`));
    const began = performance.now();
    onlyOurTags(html('*a **b '.repeat(37_000)));
    onlyOurTags(html(`${'*a **b '.repeat(500)}\n\n`.repeat(70)));
    expect(performance.now() - began).toBeLessThan(15_000);
    onlyOurTags(html('> '.repeat(20_000)));
  }, 30_000);
  it('takes no time for items of many lines and links that never close', () => {
    const began = performance.now();
    onlyOurTags(html(`- a\n${'  a\n'.repeat(65_000)}`));
    for (const open of ['```\n```', '``` `', '```\n```~~', '~~~ `\n~~~'])
      onlyOurTags(html(`${open}\n- a\n${'  a\n'.repeat(65_000)}`));
    onlyOurTags(html('[a]('.repeat(1000)));
    onlyOurTags(html(`${'[a]('.repeat(199)}\n\n`.repeat(320)));
    onlyOurTags(html('1. '.repeat(87_000)));
    onlyOurTags(html(`${'>'.repeat(10_000)}\n\n`.repeat(26)));
    expect(performance.now() - began).toBeLessThan(8_000);
  }, 60_000);
  it('knows where links may lead', () => {
    expect(targetOf('/runs?x=1')).toEqual({ kind: 'page', to: '/runs?x=1' });
    expect(targetOf('https://a.example')).toEqual({ kind: 'outside', href: 'https://a.example/' });
    for (const bad of ['//a.example', '/\\a.example', '/\t/a.example', 'javascript:1', ' javascript:1', 'java\nscript:1', 'data:x', 'blob:x', 'file:///x', 'runs', '']) expect([bad, targetOf(bad)]).toEqual([bad, null]);
  });
});
