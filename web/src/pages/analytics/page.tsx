import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries, useAllowed, type Project } from '@/api/queries';
import { clusterSeries, departmentGroups, projectGroups, workloadGroups } from '@/api/telemetry';
import { Breakdown } from '@/ui/breakdown';
import { Segments } from '@/ui/field';
import { Card, Page } from '@/ui/page';
import { QuotaBar } from '@/ui/quota';
import { Failed, Skeleton } from '@/ui/state';
import SeriesCard from '@/pages/analytics/series-card';

type Span = '24' | '168' | '720';

export default function Analytics() {
  const [span, setSpan] = useState<Span>('24');
  const allowed = useAllowed();
  const cluster = useQuery(queries.clusters).data?.[0]?.uuid ?? '';
  const hours = Number(span);
  return (
    <Page title="Analytics" sub="Within what your roles let you see" actions={<Segments label="Period" value={span} onChange={setSpan} options={[['24', 'Day'], ['168', 'Week'], ['720', 'Month']]} />}>
      <div className="grid">
        <SeriesCard title="Allocation" unit="count" query={clusterSeries(cluster, ['TOTAL_GPU', 'ALLOCATED_GPU', 'GPU_QUOTA'], hours)} />
        <SeriesCard title="GPU utilisation" unit="percent" query={clusterSeries(cluster, ['GPU_UTILIZATION', 'GPU_MEMORY_UTILIZATION'], hours)} />
        <SeriesCard title="CPU utilisation" unit="percent" query={clusterSeries(cluster, ['CPU_UTILIZATION', 'CPU_MEMORY_UTILIZATION'], hours)} />
        <SeriesCard title="Waiting time" unit="count" query={clusterSeries(cluster, ['AVG_WORKLOAD_WAIT_TIME'], hours)} />
      </div>
      <div className="grid even">
        <Groups title="Quota by project" query={projectGroups('GPU_QUOTA', 'ProjectId')} />
        <Groups title="In use by project" query={projectGroups('GPU_ALLOCATION', 'ProjectId')} color="var(--chart-3)" />
        {allowed('department') ? <Groups title="Quota by department" query={departmentGroups('GPU_QUOTA', 'DepartmentId')} color="var(--chart-2)" /> : null}
        <Groups title="Work by project" query={workloadGroups('WORKLOADS_COUNT', 'ProjectId')} color="var(--chart-5)" unit="workloads" />
      </div>
      <Use />
    </Page>
  );
}

function Groups({ title, query, color, unit = 'GPUs' }: { title: string; query: ReturnType<typeof workloadGroups>; color?: string; unit?: string }) {
  const groups = useQuery(query);
  return (
    <Card title={title}>
      {groups.isPending ? <Skeleton /> : groups.isError ? <Failed small error={groups.error} what={title.toLowerCase()} /> : <Breakdown groups={groups.data} unit={unit} color={color} />}
    </Card>
  );
}

function Use() {
  const projects = useQuery(queries.projects);
  if (!projects.data?.length) return null;
  return (
    <Card title="Use of quotas now">
      <div className="grid">
        {projects.data.map((p: Project) => (
          <div key={p.id} className="stack close">
            <span className="small strong">{p.name}</span>
            <QuotaBar quota={p.totalResources.gpuQuota ?? 0} status={p.status.quotaStatus} />
          </div>
        ))}
      </div>
    </Card>
  );
}
