// The chapters of the documentation in reading order. A file of docs/ that is not named here stands
// under "More", so that a new one is never missing from the site.
import { readdirSync, readFileSync } from 'node:fs';
import { render, type Rendered } from './markdown';

const ORDER: [group: string, files: string[]][] = [
  ['Begin', ['install', 'first-hour']],
  ['Use', ['user-guide', 'dashboard', 'cli', 'running-work', 'notifications', 'tracking', 'tuning', 'troubleshooting']],
  ['Run', ['admin-guide', 'configuration', 'security', 'gpu-slices', 'gpu-telemetry', 'simulate']],
  ['Build on', ['api', 'glossary']],
  ['Move here', ['from-runai', 'from-slurm', 'from-kubernetes']],
];

export interface Chapter extends Rendered {
  slug: string;
  group: string;
}

/** Where a link of a chapter leads on the site. Files that are not chapters have no page there. */
export function resolver(slug: string, known: Set<string>): (target: string) => string | null {
  return (target) => {
    if (/^https?:/.test(target)) return target;
    if (target.startsWith('#')) return `/docs/${slug}${target}`;
    const [, name = '', hash = ''] = /^(?:docs\/|\.\/)?([a-z-]+)\.md(#.*)?$/.exec(target) ?? [];
    return known.has(name) ? `/docs/${name}${hash}` : null;
  };
}

export function readChapters(folder: string): Chapter[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3))
    .sort();
  const known = new Set(files);
  const named = new Set(ORDER.flatMap(([, list]) => list));
  const all: [string, string[]][] = [...ORDER, ['More', files.filter((name) => !named.has(name))]];
  return all.flatMap(([group, list]) =>
    list.filter((slug) => known.has(slug)).map((slug) => ({ slug, group, ...render(readFileSync(`${folder}/${slug}.md`, 'utf8'), resolver(slug, known)) })),
  );
}
