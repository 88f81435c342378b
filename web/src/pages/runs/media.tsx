// What several runs have left behind: their pictures beside each other, and which files each has.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Run } from '@/api/runs';
import { bytes, plural } from '@/lib/quantity';
import { useAllFiles, type FilesOf } from '@/pages/runs/all-files';
import { MOST_PICTURE, PICTURE, pictureOf } from '@/pages/runs/preview';
import { colorOf } from '@/pages/runs/run-chart';
import { Button } from '@/ui/button';
import { Package } from '@/ui/icons';
import { SearchBox } from '@/ui/list';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';

const PER_PAGE = 6;
const MOST_ROWS = 300;

/** Sizes by path, then by the place of the run. */
function byPath(all: (FilesOf | undefined)[]): [path: string, sizes: (number | undefined)[]][] {
  const paths = new Map<string, (number | undefined)[]>();
  all.forEach((found, index) => {
    for (const file of found?.files ?? []) {
      const sizes = paths.get(file.path) ?? new Array<number | undefined>(all.length).fill(undefined);
      sizes[index] = file.bytes;
      paths.set(file.path, sizes);
    }
  });
  return [...paths].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
}

export default function Media({ list, what }: { list: Run[]; what: 'pictures' | 'files' }) {
  const answers = useAllFiles(list);
  const [search, setSearch] = useState('');
  const key = answers.map((a) => a.dataUpdatedAt).join();
  const paths = useMemo(() => byPath(answers.map((a) => a.data)), [key]); // eslint-disable-line
  const failed = answers.find((a) => a.isError);
  const found = paths.filter(([path]) => (what === 'files' || PICTURE.test(path)) && path.toLowerCase().includes(search.toLowerCase()));
  if (answers.some((a) => a.isPending)) return <Skeleton lines={6} />;
  return (
    <div className="stack">
      {failed ? <Card><Failed small error={failed.error} what="the files of one run" /></Card> : null}
      <div className="toolbar">
        <SearchBox label={what === 'pictures' ? 'Search pictures' : 'Search files'} value={search} onChange={setSearch} />
        {answers.some((a) => a.data?.more) ? <span className="muted small">Only the first folders were looked at.</span> : null}
      </div>
      {found.length === 0 ? (
        <Card>
          <Empty small title={what === 'pictures' ? 'No pictures' : 'No files'} icon={<Package size={20} />}>
            {what === 'pictures' ? 'Pictures that programs log as artifacts appear here side by side.' : 'Files that programs log as artifacts appear here.'}
          </Empty>
        </Card>
      ) : what === 'pictures' ? (
        <Pictures list={list} found={found} />
      ) : (
        <FileTable list={list} found={found} />
      )}
    </div>
  );
}

type Found = ReturnType<typeof byPath>;

function Pictures({ list, found }: { list: Run[]; found: Found }) {
  const [pages, setPages] = useState(1);
  const shown = found.slice(0, pages * PER_PAGE);
  return (
    <>
      {shown.map(([path, sizes]) => (
        <Card key={path} title={<span className="break">{path}</span>}>
          <div className="run-pictures">
            {list.map((run, index) => (
              <figure key={run.id}>
                <figcaption className="row small">
                  <span className="run-swatch" aria-hidden style={{ background: colorOf(index) }} />
                  <span className="clip">{run.name}</span>
                </figcaption>
                {sizes[index] === undefined ? <p className="muted small">none</p> : <Picture run={run} path={path} size={sizes[index] as number} />}
              </figure>
            ))}
          </div>
        </Card>
      ))}
      {found.length > shown.length ? (
        <div className="row">
          <Button onClick={() => setPages(pages + 1)}>Show more</Button>
          <span className="muted small">{plural(found.length - shown.length, 'more picture')}</span>
        </div>
      ) : null}
    </>
  );
}

function Picture({ run, path, size }: { run: Run; path: string; size: number }) {
  const picture = useQuery({ queryKey: ['run', 'picture', run.id, path], queryFn: () => pictureOf(run.id, path), enabled: size <= MOST_PICTURE, retry: false, staleTime: Infinity });
  if (size > MOST_PICTURE) return <p className="muted small">{bytes(size)}: too large to show here</p>;
  if (picture.isError) return <p className="muted small">cannot be read</p>;
  return picture.data ? <img className="run-picture" src={picture.data} alt={`${path} of ${run.name}`} /> : <Skeleton />;
}

function FileTable({ list, found }: { list: Run[]; found: Found }) {
  return (
    <Card flush title={plural(found.length, 'file')}>
      <div className="table-wrap" tabIndex={0} role="region" aria-label="Files">
        <table className="table compact side">
          <thead>
            <tr>
              <th scope="col">File</th>
              {list.map((run, index) => (
                <th key={run.id} scope="col">
                  <span className="row">
                    <span className="run-swatch" aria-hidden style={{ background: colorOf(index) }} />
                    <Link className="quiet-link clip" to={`/runs/${run.id}?tab=files`}>{run.name}</Link>
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.slice(0, MOST_ROWS).map(([path, sizes]) => (
              <tr key={path} className={new Set(sizes).size > 1 ? 'differs' : undefined}>
                <th scope="row" className="break">{path}</th>
                {sizes.map((size, index) => (
                  <td key={index} className="num">
                    {size === undefined ? (
                      <span className="muted">–</span>
                    ) : (
                      <Link className="quiet-link" to={`/runs/${list[index]?.id}?${new URLSearchParams({ tab: 'files', folder: path.split('/').slice(0, -1).join('/'), file: path })}`}>
                        {bytes(size)}
                      </Link>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.length > MOST_ROWS ? <p className="card-body muted small">The first {MOST_ROWS}; search for the others.</p> : null}
    </Card>
  );
}
