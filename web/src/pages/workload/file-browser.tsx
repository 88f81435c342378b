// The files inside running work, as its own programs see them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { WorkloadDetails } from '@/api/queries';
import { plural } from '@/lib/quantity';
import { textAt } from '@/lib/paths';
import { fetchEntry, inside, list, previewOf, remove, rename, sendFiles, type Entry, type Place } from '@/pages/workload/file-actions';
import { RankChoice } from '@/pages/workload/file-outputs';
import { FilePath } from '@/pages/workload/file-path';
import { Preview, type Previewed } from '@/pages/workload/file-preview';
import { FileTable } from '@/pages/workload/file-table';
import { Button } from '@/ui/button';
import { Confirm } from '@/ui/confirm';
import { EntityDialog } from '@/ui/entity-form';
import { Folder, Upload } from '@/ui/icons';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { toast, toastError } from '@/ui/toast';

type Asked = { what: 'rename' | 'delete'; entry: Entry } | { what: 'preview'; file: Previewed } | null;

export function Browser({ workload }: { workload: WorkloadDetails }) {
  const [rank, setRank] = useState(0);
  const [path, setPath] = useState('.');
  const [asked, setAsked] = useState<Asked>(null);
  const client = useQueryClient();
  const place: Place = { workload: workload.id, rank };
  const key = ['files', workload.id, rank, path];
  const folder = useQuery({ queryKey: key, queryFn: () => list(place, path), retry: false, staleTime: 0 });
  const ranks = workload.requestedPods?.number ?? 1;
  const here = folder.data?.path ?? path;
  const changed = (text: string) => {
    toast(text);
    return client.invalidateQueries({ queryKey: key });
  };
  const send = async (files: File[]) => {
    await sendFiles(place, here, files);
    await changed(`${plural(files.length, 'file')} sent to ${here}`);
  };
  const save = (entry: Entry) => void fetchEntry(place, inside(here, entry.name), entry).catch(toastError);
  return (
    <Card
      flush
      title={here === '.' ? <span className="mono small">Working directory</span> : <FilePath path={here} root="/" onOpen={setPath} />}
      actions={
        <>
          {ranks > 1 ? <RankChoice ranks={ranks} rank={rank} onChange={setRank} /> : null}
          <Send send={send} disabled={!folder.data} />
        </>
      }
    >
      {folder.isPending ? (
        <div className="card-body">
          <Skeleton lines={4} />
        </div>
      ) : folder.isError ? (
        <Failed small error={folder.error} what="this folder" retry={() => (path === '.' ? void folder.refetch() : setPath('.'))} />
      ) : folder.data.entries.length === 0 ? (
        <Empty small title="This folder is empty" icon={<Folder size={20} />} />
      ) : (
        <FileTable
          entries={folder.data.entries}
          onFolder={(e) => setPath(inside(here, e.name))}
          onFile={(e) => setAsked({ what: 'preview', file: previewOf(place, inside(here, e.name), e, () => save(e)) })}
          onSave={save}
          onRename={(entry) => setAsked({ what: 'rename', entry })}
          onDelete={(entry) => setAsked({ what: 'delete', entry })}
        />
      )}
      {asked ? <Questions asked={asked} place={place} folder={here} onClose={() => setAsked(null)} changed={changed} /> : null}
    </Card>
  );
}

interface QuestionsProps {
  asked: NonNullable<Asked>;
  place: Place;
  folder: string;
  onClose: () => void;
  changed: (text: string) => Promise<void>;
}

function Questions({ asked, place, folder, onClose, changed }: QuestionsProps) {
  if (asked.what === 'preview') return <Preview file={asked.file} onClose={onClose} />;
  const { name } = asked.entry;
  if (asked.what === 'delete') {
    const run = async () => {
      await remove(place, inside(folder, name));
      await changed(`${name} is deleted`);
    };
    return (
      <Confirm title={`Delete ${name}?`} action="Delete" danger run={run} onClose={onClose}>
        <p>{asked.entry.folder ? 'The folder and all that is in it are' : 'The file is'} deleted inside the work at once. This cannot be undone.</p>
      </Confirm>
    );
  }
  const save = async (value: Record<string, unknown>) => {
    const to = textAt(value, 'name').trim();
    if (to.includes('/')) throw new Error('A name has no slash.');
    if (to === name) return;
    await rename(place, inside(folder, name), inside(folder, to));
    await changed(`${name} is now ${to}`);
  };
  return <EntityDialog title={`Rename ${name}`} action="Rename" fields={[{ path: 'name', label: 'New name', required: true, mono: true }]} initial={{ name }} save={save} onClose={onClose} />;
}

function Send({ send, disabled }: { send: (files: File[]) => Promise<void>; disabled: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const take = async (files: File[]) => {
    if (files.length === 0) return;
    setBusy(true);
    await send(files).catch(toastError);
    setBusy(false);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to send"
        onChange={(e) => {
          const files = [...(e.target.files ?? [])];
          e.target.value = '';
          void take(files);
        }}
      />
      <Button small icon={<Upload size={14} />} disabled={disabled || busy} onClick={() => input.current?.click()}>
        {busy ? 'Sending…' : 'Upload'}
      </Button>
    </>
  );
}
