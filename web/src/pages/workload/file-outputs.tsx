// What ended work has left in its output folder.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api, ApiError, type Schemas } from '@/api/client';
import { engine } from '@/api/engine';
import type { WorkloadDetails } from '@/api/queries';
import { childrenOf, fetchEntry, inside, previewOf, type Entry, type Place } from '@/pages/workload/file-actions';
import { FilePath } from '@/pages/workload/file-path';
import { Preview, type Previewed } from '@/pages/workload/file-preview';
import { FileTable } from '@/pages/workload/file-table';
import { Folder } from '@/ui/icons';
import { Card } from '@/ui/page';
import { Empty, Failed, Notice, Skeleton } from '@/ui/state';
import { toastError } from '@/ui/toast';

/** The files of one attempt and rank; the newest attempt and rank 0 at first. */
export function Outputs({ workload }: { workload: WorkloadDetails }) {
  const attempts = useQuery(engine.attempts(workload.id));
  const [rank, setRank] = useState(0);
  const [attempt, setAttempt] = useState<number | null>(null);
  const newest = attempts.data?.[0]?.number;
  if (attempts.isPending) return <Skeleton />;
  if (attempts.isSuccess && attempts.data.length === 0) {
    return (
      <Card>
        <Empty small title="Not started yet" icon={<Folder size={20} />}>
          Files inside work can be reached while it runs. What it leaves in its output folder stays after the end.
        </Empty>
      </Card>
    );
  }
  const ranks = workload.requestedPods?.number ?? 1;
  const pickers = (
    <>
      {(attempts.data?.length ?? 0) > 1 ? (
        <select className="select auto" aria-label="Attempt" value={attempt ?? newest} onChange={(e) => setAttempt(Number(e.target.value))}>
          {attempts.data?.map((a) => (
            <option key={a.number} value={a.number}>
              Attempt {a.number}
            </option>
          ))}
        </select>
      ) : null}
      {ranks > 1 ? <RankChoice ranks={ranks} rank={rank} onChange={setRank} /> : null}
    </>
  );
  const place: Place = { workload: workload.id, rank, attempt: attempt ?? newest };
  return <OutputFolder key={JSON.stringify(place)} place={place} pickers={pickers} />;
}

export function RankChoice({ ranks, rank, onChange }: { ranks: number; rank: number; onChange: (rank: number) => void }) {
  return (
    <select className="select auto" aria-label="Rank" value={rank} onChange={(e) => onChange(Number(e.target.value))}>
      {Array.from({ length: ranks }, (_, i) => (
        <option key={i} value={i}>
          Rank {i}
        </option>
      ))}
    </select>
  );
}

function OutputFolder({ place, pickers }: { place: Place; pickers: React.ReactNode }) {
  const [path, setPath] = useState('');
  const [file, setFile] = useState<Previewed | null>(null);
  const listed = useQuery({
    queryKey: ['outputs', place, path],
    queryFn: () => api.get<Schemas['OutputList']>(`/api/v1/workloads/${place.workload}/outputs`, { rank: place.rank, attempt: place.attempt, path }),
    retry: false,
  });
  const entries = useMemo(() => childrenOf(listed.data?.files ?? [], path), [listed.data, path]);
  const save = (e: Entry) => void fetchEntry(place, inside(path, e.name), e).catch(toastError);
  return (
    <Card flush title={<FilePath path={path} root="Output folder" onOpen={setPath} />} actions={pickers}>
      {listed.isPending ? (
        <div className="card-body">
          <Skeleton lines={4} />
        </div>
      ) : listed.isError ? (
        <NoFolder error={listed.error} retry={() => void listed.refetch()} />
      ) : entries.length === 0 ? (
        <Empty small title={path ? 'This folder is empty' : 'It left no files'} icon={<Folder size={20} />}>
          {path ? null : 'Files that a program writes to $GPUYARD_OUTPUT stay here after its end.'}
        </Empty>
      ) : (
        <>
          {listed.data.truncated ? (
            <div className="card-body">
              <Notice>There are more files than are listed here. Download the folder to get all of them.</Notice>
            </div>
          ) : null}
          <FileTable entries={entries} onFolder={(e) => setPath(inside(path, e.name))} onFile={(e) => setFile(previewOf(place, inside(path, e.name), e, () => save(e)))} onSave={save} />
        </>
      )}
      {file ? <Preview file={file} onClose={() => setFile(null)} /> : null}
    </Card>
  );
}

function NoFolder({ error, retry }: { error: unknown; retry: () => void }) {
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 404) {
    return (
      <Empty small title="It left no files" icon={<Folder size={20} />}>
        Files that a program writes to $GPUYARD_OUTPUT stay here after its end.
      </Empty>
    );
  }
  if (status !== 501) return <Failed small error={error} what="the output folder" retry={retry} />;
  return (
    <Empty small title="No output folder" icon={<Folder size={20} />}>
      The place where it ran keeps no files after the end. What it wrote to mounted storage is still there.
    </Empty>
  );
}
