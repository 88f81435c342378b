import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useAllowed, type WorkloadDetails } from '@/api/queries';
import { runs } from '@/api/runs';
import { RunFiles } from '@/pages/runs/files';
import '@/pages/runs/runs.css';
import { bytes, plural } from '@/lib/quantity';
import { useNoEntry } from '@/pages/workload/enter';
import { fetchEntry, inside, list, sendFiles, type Entry, type Listing } from '@/pages/workload/file-actions';
import { isRunning } from '@/pages/workloads/kinds';
import { Button, IconButton } from '@/ui/button';
import { CornerLeftUp, Download, FileIcon, Folder, Upload } from '@/ui/icons';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { Time } from '@/ui/time';
import { toast, toastError } from '@/ui/toast';

export default function Files({ workload }: { workload: WorkloadDetails }) {
  const closed = useNoEntry(workload);
  if (closed && isRunning(workload.phase)) return closed;
  if (isRunning(workload.phase)) return <Browser workload={workload} />;
  return <Kept workload={workload} />;
}

/** Files that the program has logged stay after the end; others are where it wrote them. */
function Kept({ workload }: { workload: WorkloadDetails }) {
  const allowed = useAllowed();
  const list = useQuery({ ...runs.list({ workloadId: workload.id, limit: 20 }), enabled: allowed('trainings'), retry: false });
  const [chosen, setChosen] = useState('');
  const found = list.data?.runs ?? [];
  const run = found.find((one) => one.id === chosen) ?? found[0];
  if (!run) {
    return (
      <Card>
        <Empty small title="Not running" icon={<Folder size={20} />}>
          Files inside work can be reached while it runs. What it wrote to mounted storage stays there, and files that it logs as artifacts of a run stay here.
        </Empty>
      </Card>
    );
  }
  return (
    <div className="stack">
      <div className="row wrap">
        <span className="small soft">It has ended. These files it has logged in</span>
        {found.length > 1 ? (
          <select className="select auto" aria-label="Run" value={run.id} onChange={(e) => setChosen(e.target.value)}>
            {found.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        ) : (
          <Link to={`/runs/${run.id}`}>{run.name}</Link>
        )}
      </div>
      <RunFiles key={run.id} id={run.id} />
    </div>
  );
}

const above = (path: string) => path.replace(/\/[^/]*$/, '') || '/';

function Browser({ workload }: { workload: WorkloadDetails }) {
  const [rank, setRank] = useState(0);
  const [path, setPath] = useState('.');
  const client = useQueryClient();
  const key = ['files', workload.id, rank, path];
  const folder = useQuery({ queryKey: key, queryFn: () => list(workload.id, rank, path), retry: false, staleTime: 0 });
  const ranks = workload.requestedPods?.number ?? 1;
  const here = folder.data?.path ?? path;
  const send = async (files: File[]) => {
    await sendFiles(workload.id, rank, here, files);
    toast(`${plural(files.length, 'file')} sent to ${here}`);
    await client.invalidateQueries({ queryKey: key });
  };
  return (
    <Card
      flush
      title={<span className="mono small break">{here === '.' ? 'Working directory' : here}</span>}
      actions={
        <>
          {ranks > 1 ? (
            <select className="select auto" aria-label="Rank" value={rank} onChange={(e) => setRank(Number(e.target.value))}>
              {Array.from({ length: ranks }, (_, i) => (
                <option key={i} value={i}>
                  Rank {i}
                </option>
              ))}
            </select>
          ) : null}
          <Button small icon={<CornerLeftUp size={14} />} disabled={!folder.data || here === '/'} onClick={() => setPath(above(here))}>
            Up
          </Button>
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
      ) : (
        <Entries listing={folder.data} workload={workload.id} rank={rank} onOpen={setPath} />
      )}
    </Card>
  );
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

function Entries({ listing, workload, rank, onOpen }: { listing: Listing; workload: string; rank: number; onOpen: (path: string) => void }) {
  const fetchOne = (entry: Entry) => void fetchEntry(workload, rank, inside(listing.path, entry.name), entry).catch(toastError);
  const columns: Column<Entry>[] = [
    {
      id: 'name',
      header: 'Name',
      cell: (e) => (
        <span className="cell-name">
          {e.folder ? <Folder size={15} aria-hidden /> : <FileIcon size={15} aria-hidden />}
          {e.folder ? (
            <button type="button" className="link clip strong" onClick={() => onOpen(inside(listing.path, e.name))}>
              {e.name}
            </button>
          ) : (
            <span className="clip">{e.name}</span>
          )}
        </span>
      ),
    },
    { id: 'size', header: 'Size', right: true, cell: (e) => (e.folder ? '–' : bytes(e.size)) },
    { id: 'changed', header: 'Changed', cell: (e) => <Time at={new Date(e.modified).toISOString()} /> },
  ];
  if (listing.entries.length === 0) return <Empty small title="This folder is empty" icon={<Folder size={20} />} />;
  return (
    <Table
      label="Files"
      columns={columns}
      rows={listing.entries}
      rowId={(e) => e.name}
      actions={(e) => <IconButton small label={e.folder ? `Download ${e.name} as tar` : `Download ${e.name}`} icon={<Download size={15} />} onClick={() => fetchOne(e)} />}
    />
  );
}
