// Where one is among folders, each part a way back.
import { Fragment } from 'react';

/** The parts of a path with the path up to each; `root` names the beginning. */
export function crumbs(path: string, root: string): [name: string, path: string][] {
  const parts = path.split('/').filter(Boolean);
  const start = path.startsWith('/') ? '/' : '';
  return [[root, start], ...parts.map((name, i): [string, string] => [name, start + parts.slice(0, i + 1).join('/')])];
}

export function FilePath({ path, root, onOpen }: { path: string; root: string; onOpen: (path: string) => void }) {
  const all = crumbs(path, root);
  return (
    <nav className="file-path mono small" aria-label="Folder">
      {all.map(([name, to], i) => (
        <Fragment key={to}>
          {i > 0 && !(i === 1 && root === '/') ? <span className="muted" aria-hidden>/</span> : null}
          {i === all.length - 1 ? (
            <span aria-current="location">{name}</span>
          ) : (
            <button type="button" className="link" onClick={() => onOpen(to)}>
              {name}
            </button>
          )}
        </Fragment>
      ))}
    </nav>
  );
}
