import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isForbidden } from '@/api/client';
import { engine } from '@/api/engine';
import { queries, useAllowed, useSeesWork, type Workload } from '@/api/queries';
import { gpus, plural } from '@/lib/quantity';
import { isLasting, messageWords, moreThanStatus } from '@/lib/reasons';
import { parseTime, startRange } from '@/lib/time';
import { myWork, RECENT_DAYS, type Part } from '@/pages/my-work/query';
import { Actions } from '@/pages/my-work/row-actions';
import { QuickStart, Welcome } from '@/pages/my-work/start';
import { Attention } from '@/pages/overview/attention';
import { FreeGpus, MyQuotas } from '@/pages/overview/free';
import { WorkloadName } from '@/pages/workloads/columns';
import { TimeLeft } from '@/pages/workloads/time-left';
import { useProject } from '@/shell/project';
import { Card, Page } from '@/ui/page';
import { Phase } from '@/ui/phase';
import { Failed, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { Elapsed, Time, useNow } from '@/ui/time';

type Answer = ReturnType<typeof useMine>;

function useMine(part: Part, username: string | undefined, project: string, now: number) {
  const sees = useSeesWork();
  return useQuery({ ...myWork(part, username ?? '', project, now), enabled: username !== undefined && sees });
}

export default function MyWork() {
  const me = useQuery(queries.me);
  const [project] = useProject();
  // The moment the page was opened: failures are counted back from here.
  const [now] = useState(Date.now);
  const name = me.data?.username;
  const running = useMine('running', name, project, now);
  const waiting = useMine('waiting', name, project, now);
  const failed = useMine('failed', name, project, now);
  const ended = useMine('ended', name, project, now);
  const parts = [running, waiting, failed, ended];
  const known = useQuery(queries.permissions).isSuccess;
  const sees = useSeesWork();
  const refused = parts.find((part) => part.isError);
  const none = parts.every((part) => part.isSuccess && part.data.total === 0);
  return (
    <Page title="My work" sub={name}>
      <Attention />
      <div className="grid even">
        <FreeGpus />
        <MyQuotas />
      </div>
      {known && !sees ? (
        <Welcome email={name ?? ''} />
      ) : refused ? (
        isForbidden(refused.error) ? (
          <Welcome email={name ?? ''} />
        ) : (
          <Card>
            <Failed error={refused.error} what="your work" retry={() => parts.forEach((part) => void part.refetch())} />
          </Card>
        )
      ) : parts.some((part) => part.isPending) ? (
        <Card>
          <Skeleton lines={6} />
        </Card>
      ) : (
        <>
          <QuickStart first={none} />
          {none ? null : <Lists running={running} waiting={waiting} failed={failed} ended={ended} />}
        </>
      )}
    </Page>
  );
}

const NAME: Column<Workload> = { id: 'name', header: 'Name', width: '26%', cell: (w) => <WorkloadName workload={w} /> };
const STATUS: Column<Workload> = { id: 'phase', header: 'Status', width: '11%', cell: (w) => <Phase phase={w.phase} /> };
const PROJECT: Column<Workload> = { id: 'project', header: 'Project', width: '11%', cell: (w) => <span className="clip">{w.projectName}</span> };
const GPUS: Column<Workload> = { id: 'gpu', header: 'GPUs', width: '6%', right: true, cell: (w) => gpus(w.workloadRequestedResources?.gpu?.request) };

const RUNNING: Column<Workload>[] = [NAME, STATUS, PROJECT, GPUS, { id: 'for', header: 'Runs for', width: '24%', cell: (w) => <RunsFor workload={w} /> }];
const WAITING: Column<Workload>[] = [NAME, STATUS, PROJECT, GPUS, { id: 'why', header: 'Why it waits', width: '24%', cell: (w) => <Waits workload={w} /> }];
const ENDED: Column<Workload>[] = [NAME, STATUS, PROJECT, GPUS, { id: 'why', header: 'Ended', width: '24%', cell: (w) => <Ended workload={w} /> }];

function RunsFor({ workload: w }: { workload: Workload }) {
  return (
    <span className="stack none">
      <span>
        <Elapsed from={w.phaseUpdatedAt} /> <TimeLeft workload={w} />
      </span>
      {w.idleAllocatedGpus ? <span className="badge wait">{plural(w.idleAllocatedGpus, 'GPU')} idle</span> : null}
    </span>
  );
}

/** Its place in the queue, and the reason in words. */
function Waits({ workload: w }: { workload: Workload }) {
  const queue = useQuery({ ...engine.queue, retry: false });
  const now = useNow();
  const line = queue.data?.find((l) => l.workloadId === w.id);
  const range = line ? startRange(parseTime(line.earliest), parseTime(line.latest), now) : null;
  return (
    <span className="stack none">
      {line && isLasting(line.reason) ? <span className="field-error">Cannot start here</span> : line ? <span className="num">Place {line.position}{range ? `, starts ${range}` : ''}</span> : null}
      <span className="break small soft">{messageWords(w.phaseMessage)}</span>
    </span>
  );
}

function Ended({ workload: w }: { workload: Workload }) {
  return (
    <span className="stack none">
      <Time at={w.completedAt ?? w.phaseUpdatedAt} />
      {moreThanStatus(w.phaseMessage) ? <span className="break small soft">{moreThanStatus(w.phaseMessage)}</span> : null}
    </span>
  );
}

const count = (answer: Answer) => answer.data?.total ?? answer.data?.workloads.length ?? 0;
const rowsOf = (answer: Answer) => answer.data?.workloads ?? [];

function Lists({ running, waiting, failed, ended }: Record<Part, Answer>) {
  const rows = rowsOf(running);
  const measured = rows.some((w) => w.idleAllocatedGpus !== null && w.idleAllocatedGpus !== undefined);
  const idle = rows.filter((w) => (w.idleAllocatedGpus ?? 0) > 0).length;
  return (
    <>
      <div className="tiles">
        <Tile label="Running" value={count(running)} />
        <Tile label="Waiting" value={count(waiting)} />
        <Tile label="With idle GPUs" value={rows.length > 0 && !measured ? null : idle} />
        <Tile label={`Failed, last ${RECENT_DAYS} days`} value={count(failed)} />
      </div>
      <Section title={`Running (${count(running)})`} answer={running} columns={RUNNING} none="Nothing of yours runs now." />
      <Section title={`Waiting (${count(waiting)})`} answer={waiting} columns={WAITING} none="Nothing of yours waits." />
      {count(failed) > 0 ? <Section title={`Failed, last ${RECENT_DAYS} days (${count(failed)})`} answer={failed} columns={ENDED} none="" /> : null}
      {count(ended) > 0 ? <Section title="Recently ended" answer={ended} columns={ENDED} none="" /> : null}
    </>
  );
}

function Tile({ label, value }: { label: string; value: number | null }) {
  return (
    <div className="tile">
      <div className="tile-label">{label}</div>
      <div className="tile-value">
        {value ?? '–'} {value === null ? <span className="tile-note">not measured</span> : null}
      </div>
    </div>
  );
}

const actionsOf = (w: Workload) => <Actions workload={w} />;

function Section({ title, answer, columns, none }: { title: string; answer: Answer; columns: Column<Workload>[]; none: string }) {
  const allowed = useAllowed();
  const rows = rowsOf(answer);
  const left = count(answer) - rows.length;
  return (
    <Card flush title={title}>
      {rows.length === 0 ? <p className="card-body small muted">{none}</p> : <Table fixed label={title} columns={columns} rows={rows} rowId={(w) => w.id} actions={actionsOf} />}
      {left > 0 && allowed('workloads') ? <p className="card-body small muted">{plural(left, 'more', 'more')} under Workloads.</p> : null}
    </Card>
  );
}
