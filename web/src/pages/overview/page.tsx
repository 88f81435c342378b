import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import { queries, useAllowed } from '@/api/queries';
import { clusterSeries, nodeGroups, nodeNumber, projectGroups, workloadGroups } from '@/api/telemetry';
import { trim } from '@/lib/quantity';
import { WorkloadName } from '@/pages/workloads/columns';
import { Attention } from '@/pages/overview/attention';
import { FreeGpus } from '@/pages/overview/free';
import { Breakdown } from '@/ui/breakdown';
import { Card, Page } from '@/ui/page';
import { Failed, Skeleton } from '@/ui/state';
import { Elapsed } from '@/ui/time';

const SeriesCard = lazy(() => import('@/pages/analytics/series-card'));

export default function Overview() {
  const allowed = useAllowed();
  const clusters = useQuery({ ...queries.clusters, enabled: allowed('cluster') });
  const cluster = clusters.data?.[0];
  const state = cluster ? `cluster ${cluster.name}, ${cluster.status?.state ?? 'state unknown'}` : 'the whole cluster';
  return (
    <Page title="Overview" sub={`GPUs: ${state}. Work: what your roles let you see.`}>
      <Attention />
      <FreeGpus />
      <Tiles />
      <div className="grid even">
        <Groups title="Work by status, ended: all time" query={workloadGroups('WORKLOADS_COUNT', 'Phase')} unit="workloads" />
        <Groups title="Work by type" query={workloadGroups('WORKLOADS_COUNT', 'Type')} unit="workloads" />
        {allowed('nodes') ? <Groups title="GPUs by node pool" query={nodeGroups('TOTAL_GPUS', 'Nodepool')} unit="GPUs" /> : null}
        {allowed('project') ? <Groups title="GPUs in use, by project you may see" query={projectGroups('GPU_ALLOCATION', 'ProjectId')} unit="GPUs" /> : null}
      </div>
      <div className="grid even charts">
        {clusters.isError ? (
          <Card title="Over time">
            <Failed small error={clusters.error} what="the charts of the cluster" />
          </Card>
        ) : cluster ? (
          <Suspense fallback={<Skeleton lines={5} />}>
            <SeriesCard title="GPUs in use in the cluster, last day" query={clusterSeries(cluster.uuid, ['ALLOCATED_GPU'], 24)} unit="count" />
            <SeriesCard title="GPU utilisation of the cluster, last day" query={clusterSeries(cluster.uuid, ['GPU_UTILIZATION'], 24)} unit="percent" />
          </Suspense>
        ) : null}
        <Longest />
      </div>
    </Page>
  );
}

function Tiles() {
  const allowed = useAllowed();
  const states = useQuery(workloadGroups('WORKLOADS_COUNT', 'Phase'));
  const count = (...names: string[]) => states.data?.filter((g) => names.includes(g.name)).reduce((sum, g) => sum + g.value, 0);
  return (
    <div className="tiles">
      {allowed('nodes') ? (
        <>
          <NumberTile label="Ready GPU nodes" of="TOTAL_GPU_NODES" type="READY_GPU_NODES" to="/nodes" />
          <NumberTile label="Ready GPUs" of="TOTAL_GPUS" type="READY_GPUS" to="/nodes" />
          <NumberTile label="GPUs in use" of="TOTAL_GPUS" type="ALLOCATED_GPUS" to="/workloads?is.phase=Running" />
          <NumberTile label="Idle GPUs in use" type="IDLE_ALLOCATED_GPUS" to="/workloads?is.phase=Running" />
        </>
      ) : null}
      <Tile label="Running work" value={count('Running')} to="/workloads?is.phase=Running" />
      <Tile label="Waiting work" value={count('Pending', 'Creating', 'Resuming')} to="/queue" />
      <Tile label="Failed work, all time" value={count('Failed')} to="/workloads?is.phase=Failed" />
    </div>
  );
}

function NumberTile({ label, type, of, to }: { label: string; type: string; of?: string; to: string }) {
  const value = useQuery(nodeNumber(type));
  const unknown = value.isSuccess && value.data === null;
  const whole = useQuery({ ...nodeNumber(of ?? type), enabled: of !== undefined });
  return <Tile label={label} value={value.data} note={unknown ? 'not measured' : of && whole.data !== null && whole.data !== undefined ? `of ${trim(whole.data)}` : undefined} to={to} />;
}

function Tile({ label, value, note, to }: { label: string; value: number | null | undefined; note?: string; to: string }) {
  return (
    <Link className="tile" to={to}>
      <div className="tile-label">{label}</div>
      <div className="tile-value">
        {value === null || value === undefined ? '–' : trim(value)} {note ? <span className="tile-note">{note}</span> : null}
      </div>
    </Link>
  );
}

function Groups({ title, query, unit }: { title: string; query: ReturnType<typeof workloadGroups>; unit: string }) {
  const groups = useQuery(query);
  return (
    <Card title={title}>
      {groups.isPending ? <Skeleton /> : groups.isError ? <Failed small error={groups.error} what={title.toLowerCase()} /> : <Breakdown groups={groups.data} unit={unit} />}
    </Card>
  );
}

const SHOWN_LONGEST = 5;

function Longest() {
  const list = useQuery(queries.workloads({ filterBy: 'phase==Running', sortBy: 'createdAt', sortOrder: 'asc', limit: 500 }));
  // By the time they run, not by the time they were submitted.
  const rows = [...(list.data?.workloads ?? [])].sort((a, b) => Date.parse(a.phaseUpdatedAt) - Date.parse(b.phaseUpdatedAt)).slice(0, SHOWN_LONGEST);
  return (
    <Card title="Running longest">
      {list.isPending ? (
        <Skeleton />
      ) : list.isError ? (
        <Failed small error={list.error} what="running work" />
      ) : rows.length === 0 ? (
        <p className="small muted">Nothing runs now.</p>
      ) : (
        <ul className="stack tight">
          {rows.map((w) => (
            <li key={w.id} className="row between small">
              <WorkloadName workload={w} />
              <Elapsed from={w.phaseUpdatedAt} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
