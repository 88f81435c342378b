import { describe, expect, it } from 'vitest';
import { fileURLToPath } from 'node:url';
import { helpPlaces } from '@/shell/help';
import { findSections } from '@/pages/docs/find';
import { readChapters } from './chapters';
import { render } from './markdown';

const html = (text: string) => render(text, (to) => to).html;
const chapters = readChapters(fileURLToPath(new URL('../../docs', import.meta.url)));

describe('markdown of the documentation', () => {
  it('lets no markup of the text through', () => {
    expect(html('a <script>alert(1)</script> & `<b>`')).toBe('<p>a &lt;script&gt;alert(1)&lt;/script&gt; &amp; <code>&lt;b&gt;</code></p>');
  });

  it('keeps lists, their further lines and what is nested in them', () => {
    expect(html('- one\n  and more\n- two\n  - inner')).toBe('<ul><li>one and more</li><li>two<ul><li>inner</li></ul></li></ul>');
  });

  it('reads tables with bars that are escaped', () => {
    expect(html('| a | b |\n|---|---|\n| `x\\|y` | **z** |')).toContain('<td><code>x|y</code></td><td><strong>z</strong></td>');
  });

  it('shows code as it is written', () => {
    expect(html('```sh\nls -l *.py\n```')).toBe('<pre tabindex="0"><code>ls -l *.py</code></pre>');
  });
});

describe('the documentation', () => {
  const anchors = new Set(chapters.flatMap((c) => [c.slug, ...c.headings.map((h) => `${c.slug}#${h.id}`)]));

  it('has every place that a link of a chapter names', () => {
    const wrong = chapters.flatMap((chapter) =>
      chapter.links
        .map((to) => (to.startsWith('#') ? `${chapter.slug}${to}` : /^[a-z-]+\.md(#.*)?$/.test(to) ? to.replace('.md', '') : null))
        .filter((to): to is string => to !== null && !anchors.has(to))
        .map((to) => `${chapter.slug} -> ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has the chapter of every page', () => {
    expect(helpPlaces().filter((place) => !anchors.has(place))).toEqual([]);
  });

  it('is found by the words that people type', () => {
    const parts = chapters.flatMap((c) => c.sections.map((s) => ({ slug: c.slug, title: c.title, ...s })));
    const first = (words: string) => findSections(parts, words).slice(0, 3).map((hit) => hit.slug);
    expect(first('squeue')).toContain('from-slurm');
    expect(first('notebook does not open')).toContain('troubleshooting');
    expect(first('nth gpu')).toContain('user-guide');
  });
});
