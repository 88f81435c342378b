// The documentation, made from docs/ when the dashboard was built. It is open to everybody: a person
// who cannot sign in needs it most.
import { useEffect, useState } from 'react';
import { Link, NavLink, useLocation, useNavigate, useParams } from 'react-router-dom';
import { chapters, type Chapter } from 'virtual:docs';
import { DocsSearch } from '@/pages/docs/search';
import { here, within } from '@/lib/place';
import { Brand } from '@/shell/brand';
import { Empty, Skeleton } from '@/ui/state';
import '@/pages/docs/docs.css';

const FIRST = 'first-hour';

export default function Docs() {
  const { chapter: slug = FIRST } = useParams();
  const chapter = chapters.find((one) => one.slug === slug);
  useEffect(() => {
    document.title = `${chapter?.title ?? 'Documentation'} · Gpuyard`;
  }, [chapter]);
  return (
    <div className="docs">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="docs-head">
        <Brand />
        <span className="muted docs-word">Documentation</span>
        <span className="grow" />
        <DocsSearch />
        <Link className="button" to="/my-work">
          To the dashboard
        </Link>
      </header>
      <div className="docs-columns">
        <Contents now={slug} />
        <main id="main" tabIndex={-1} className="docs-text">
          {chapter ? <Text key={slug} chapter={chapter} /> : <Empty title="There is no such chapter">The list of chapters stands beside this text; the search reads all of them.</Empty>}
        </main>
        {chapter ? <OnThisPage chapter={chapter} /> : null}
      </div>
    </div>
  );
}

function Contents({ now }: { now: string }) {
  const groups = [...new Set(chapters.map((chapter) => chapter.group))];
  return (
    <nav className="docs-nav" aria-label="Chapters">
      {groups.map((group) => (
        <div key={group}>
          <div className="nav-group">{group}</div>
          <ul>
            {chapters
              .filter((chapter) => chapter.group === group)
              .map(({ slug, title }) => (
                <li key={slug}>
                  <NavLink className={`nav-link ${slug === now ? 'active' : ''}`} aria-current={slug === now ? 'page' : undefined} to={`/docs/${slug}`}>
                    {title}
                  </NavLink>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function OnThisPage({ chapter }: { chapter: Chapter }) {
  if (chapter.headings.length < 2) return null;
  return (
    <nav className="docs-toc" aria-label="On this page">
      <div className="nav-group">On this page</div>
      <ul>
        {chapter.headings.map((heading) => (
          <li key={heading.id}>
            <Link className="nav-link" to={`/docs/${chapter.slug}#${heading.id}`}>
              {heading.text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Text({ chapter }: { chapter: Chapter }) {
  const [html, setHtml] = useState<string | null>(null);
  const { hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    let wanted = true;
    void chapter.load().then((loaded) => wanted && setHtml(loaded.default.replaceAll('href="/docs/', `href="${here('/docs/')}`)));
    return () => {
      wanted = false;
    };
  }, [chapter]);
  useEffect(() => {
    if (html === null) return;
    if (hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
    else window.scrollTo(0, 0);
  }, [html, hash]);
  if (html === null) return <Skeleton lines={8} />;
  // Links between chapters change the page without loading it anew.
  const follow = (event: React.MouseEvent) => {
    const href = (event.target as HTMLElement).closest('a')?.getAttribute('href');
    if (!href?.startsWith(here('/docs/')) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    navigate(within(href));
  };
  // The text is the project's own and was escaped when it was built.
  return <article className="prose" onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />;
}
