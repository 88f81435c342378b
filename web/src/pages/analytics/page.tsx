import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queries, useAllowed, type Project } from '@/api/queries';
import { nodeNumber } from '@/api/telemetry';
import { cost, site } from '@/api/site';
import { usageReport, usageSeries, type By, type Period, type Report } from '@/api/usage';
import { useAddress } from '@/lib/address';
import { gpus, hoursOf, plural, trim } from '@/lib/quantity';
import { duration } from '@/lib/time';
import { PeriodChoice } from '@/pages/analytics/period-choice';
import { choiceOf, keyOf, periodOf } from '@/pages/analytics/period';
import { ReportTable } from '@/pages/analytics/report-table';
import { StepCharts } from '@/pages/analytics/step-charts';
import { useProject } from '@/shell/project';
import { Segments } from '@/ui/field';
import { Card, Page } from '@/ui/page';
import { QuotaBar } from '@/ui/quota';
import { Failed, Skeleton } from '@/ui/state';

const isBy = (text: string | null): text is By => text === 'user' || text === 'project' || text === 'department';

/** What the address chooses: period, grouping, and the project in view. */
function useChoice() {
  const { params, set } = useAddress();
  const text = params.toString();
  const choice = useMemo(() => choiceOf(new URLSearchParams(text)), [text]);
  const asked = params.get('by');
  const projects = useQuery(queries.projects);
  const [chosen] = useProject();
  const project = projects.data?.find((p) => p.id === chosen)?.name;
  const by: By = isBy(asked) ? asked : 'project';
  const period = (): Period => periodOf(choice, Date.now());
  return { choice, by, project, set, period };
}

export default function Analytics() {
  const { choice, by, project, set, period } = useChoice();
  const report = useQuery(usageReport(by, project, keyOf(choice), period));
  const series = useQuery(usageSeries(project, keyOf(choice), period));
  return (
    <Page title="Analytics" sub={`Within what your roles let you see${project ? `, project ${project}` : ''}`} actions={<PeriodChoice choice={choice} onChange={set} />}>
      <Tiles report={report.data} steps={series.data} />
      {series.isPending ? (
        <Card>
          <Skeleton lines={5} />
        </Card>
      ) : series.isError ? (
        <Card>
          <Failed small error={series.error} what="usage over time" retry={() => void series.refetch()} />
        </Card>
      ) : (
        <StepCharts steps={series.data} />
      )}
      <Card
        flush
        title="GPU-hours"
        actions={<Segments label="Grouped by" value={by} onChange={(next) => set({ by: next === 'project' ? '' : next })} options={[['user', 'User'], ['project', 'Project'], ['department', 'Department']]} />}
      >
        {report.isPending ? (
          <div className="card-body">
            <Skeleton lines={5} />
          </div>
        ) : report.isError ? (
          <Failed small error={report.error} what="the usage report" retry={() => void report.refetch()} />
        ) : (
          <ReportTable report={report.data} />
        )}
      </Card>
      <Quotas />
    </Page>
  );
}

interface TilesProps {
  report: Report | undefined;
  steps: { started: number; waitedSeconds?: number | null }[] | undefined;
}

function Tiles({ report, steps }: TilesProps) {
  const hours = report?.total.gpuHours;
  const price = useQuery(site).data?.gpuHourPrice;
  const started = steps?.reduce((sum, s) => sum + s.started, 0) ?? 0;
  const waited = steps?.reduce((sum, s) => sum + (s.waitedSeconds ?? 0) * s.started, 0) ?? 0;
  const measured = hours ? hours.used + hours.idle : 0;
  return (
    <div className="tiles">
      <Tile label="GPU-hours" value={hours ? hoursOf(hours.held) : null} />
      {price && hours ? <Tile label="Cost" value={cost(hours.held, price)} note={`${price.amount} ${price.currency} per GPU-hour`} /> : null}
      <Tile label="Of these busy" value={measured > 0 && hours ? hoursOf(hours.used) : null} note={measured > 0 && hours ? `${trim((100 * hours.used) / measured, 0)} % of what was measured` : 'not measured'} />
      <Tile label="Of these idle" value={measured > 0 && hours ? hoursOf(hours.idle) : null} note={hours && hours.notMeasured >= 0.05 ? `${hoursOf(hours.notMeasured)} not measured` : undefined} />
      <Tile label="Workloads that ran" value={report ? report.total.workloads.toLocaleString('en') : null} />
      <Tile label="Wait until the start" value={started > 0 ? duration(waited / started) : null} note={started > 0 ? `mean of ${plural(started, 'start')}` : 'nothing started'} />
      <IdleNow />
    </div>
  );
}

function IdleNow() {
  const allowed = useAllowed();
  const idle = useQuery({ ...nodeNumber('IDLE_ALLOCATED_GPUS'), enabled: allowed('nodes') });
  if (!allowed('nodes')) return null;
  const known = idle.data !== null && idle.data !== undefined;
  return <Tile label="Idle GPUs now" value={known ? gpus(idle.data) : null} note={known ? 'GPUs' : 'not measured'} />;
}

function Tile({ label, value, note }: { label: string; value: string | null; note?: string }) {
  return (
    <div className="tile">
      <div className="tile-label">{label}</div>
      <div className="tile-value">{value ?? '–'}</div>
      {note ? <div className="tile-note">{note}</div> : null}
    </div>
  );
}

function Quotas() {
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
