// The files that a run has uploaded, with a look into those that people can read.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { openFile, runs, type RunFile } from '@/api/runs';
import { saveFile } from '@/lib/browser';
import { useAddress } from '@/lib/address';
import { bytes } from '@/lib/quantity';
import { look, type Seen } from '@/pages/runs/preview';
import { Button, IconButton } from '@/ui/button';
import { CornerLeftUp, Download, FileIcon, Folder, Package } from '@/ui/icons';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { toastError } from '@/ui/toast';

const join = (folder: string, name: string) => (folder ? `${folder}/${name}` : name);
const above = (path: string) => path.split('/').slice(0, -1).join('/');

/** The size of a file, as its folder lists it; undefined if it is not there. */
export const sizeIn = (files: Pick<RunFile, 'name' | 'bytes' | 'folder'>[], folder: string, path: string): number | undefined => files.find((f) => !f.folder && join(folder, f.name) === path)?.bytes;

async function save(id: string, path: string): Promise<void> {
  const response = await openFile(id, path);
  saveFile(path.split('/').at(-1) ?? 'file', await response.blob(), 'application/octet-stream');
}

export function RunFiles({ id }: { id: string }) {
  const { params, set } = useAddress();
  const folder = params.get('folder') ?? '';
  const chosen = params.get('file') ?? '';
  const files = useQuery(runs.files(id, folder));
  const go = (path: string) => set({ folder: path, file: '' });
  return (
    <div className="grid wide-right">
      <Card
        flush
        title={folder || 'Files'}
        actions={folder ? <IconButton small label="To the folder above" icon={<CornerLeftUp size={14} />} onClick={() => go(above(folder))} /> : null}
      >
        {files.isPending ? (
          <div className="card-body"><Skeleton /></div>
        ) : files.isError ? (
          <Failed small error={files.error} what="files" retry={() => void files.refetch()} />
        ) : files.data.length === 0 ? (
          <Empty small title="No files" icon={<Package size={20} />}>
            Files that the program logs as artifacts appear here.
          </Empty>
        ) : (
          <ul className="run-files">
            {files.data.map((file) => (
              <FileLine key={file.name} file={file} on={chosen === join(folder, file.name)} open={() => (file.folder ? go(join(folder, file.name)) : set({ file: join(folder, file.name) }))} save={() => void save(id, join(folder, file.name)).catch(toastError)} />
            ))}
          </ul>
        )}
      </Card>
      <Preview key={chosen} id={id} path={chosen} size={files.isPending ? null : sizeIn(files.data ?? [], folder, chosen)} />
    </div>
  );
}

function FileLine({ file, on, open, save: keep }: { file: RunFile; on: boolean; open: () => void; save: () => void }) {
  const Icon = file.folder ? Folder : FileIcon;
  return (
    <li className={`row ${on ? 'on' : ''}`}>
      <button type="button" className="row grow file-open" onClick={open} aria-pressed={on}>
        <Icon size={15} aria-hidden />
        <span className="clip">{file.name}</span>
      </button>
      {file.folder ? null : (
        <>
          <span className="muted tiny num nowrap">{bytes(file.bytes)}</span>
          <IconButton small label={`Download ${file.name}`} icon={<Download size={14} />} onClick={keep} />
        </>
      )}
    </li>
  );
}

/** `size`: null until the folder is listed, undefined if the file is not in it. */
function Preview({ id, path, size }: { id: string; path: string; size: number | null | undefined }) {
  const [seen, setSeen] = useState<Seen | 'waiting' | Error>('waiting');
  useEffect(() => {
    if (!path || size === null || size === undefined) return;
    look(id, path, size).then(setSeen, (error: unknown) => setSeen(error instanceof Error ? error : new Error(String(error))));
  }, [id, path, size]);
  if (!path) return <Card title="Preview"><p className="muted">Choose a file.</p></Card>;
  if (size === undefined) return <Card title={<span className="break">{path.split('/').at(-1)}</span>}><p className="muted">There is no such file in this folder.</p></Card>;
  return (
    <Card title={<span className="break">{path.split('/').at(-1)}</span>} actions={<Button small icon={<Download size={14} />} onClick={() => void save(id, path).catch(toastError)}>Download</Button>}>
      {seen === 'waiting' ? (
        <Skeleton />
      ) : seen instanceof Error ? (
        <Failed small error={seen} what="this file" />
      ) : seen === null ? (
        <p className="muted">There is no preview of this kind of file.</p>
      ) : seen.kind === 'picture' ? (
        <img className="run-picture" src={seen.url} alt={path} />
      ) : (
        <>
          <pre className="run-text" tabIndex={0}>{seen.text || 'The file is empty.'}</pre>
          {seen.cut ? <p className="muted small">The beginning only; download the file to read all of it.</p> : null}
        </>
      )}
    </Card>
  );
}
