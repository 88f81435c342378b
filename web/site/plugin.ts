// Gives the pages the documentation as modules: `virtual:docs` lists the chapters,
// `virtual:docs/text/NAME` is the HTML of one, `virtual:docs/sections` is what the search reads.
import { readChapters } from './chapters';

const ROOT = 'virtual:docs';
const of = (id: string) => `\0${id}`;

export function docs(folder: string) {
  const moduleOf = (id: string): string | null => {
    if (!id.startsWith(of(ROOT))) return null;
    const chapters = readChapters(folder);
    if (id === of(ROOT)) {
      const entries = chapters.map(({ slug, group, title, headings }) => {
        const about = JSON.stringify({ slug, group, title, headings: headings.filter((h) => h.level === 2) });
        return `{ ...${about}, load: () => import('${ROOT}/text/${slug}') }`;
      });
      return `export const chapters = [${entries.join(',\n')}];`;
    }
    if (id === of(`${ROOT}/sections`)) {
      return `export default ${JSON.stringify(chapters.flatMap(({ slug, title, sections }) => sections.map((section) => ({ slug, title, ...section }))))};`;
    }
    const found = chapters.find((chapter) => id === of(`${ROOT}/text/${chapter.slug}`));
    return found ? `export default ${JSON.stringify(found.html)};` : null;
  };
  return {
    name: 'docs',
    resolveId: (id: string) => (id === ROOT || id.startsWith(`${ROOT}/`) ? of(id) : null),
    load: moduleOf,
  };
}
