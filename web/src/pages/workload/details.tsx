import { useQuery } from '@tanstack/react-query';
import { stringify } from 'yaml';
import { record } from '@/api/engine';
import type { WorkloadDetails } from '@/api/queries';
import { kindRoute } from '@/pages/workloads/kinds';
import { CodeBox, CopyValue } from '@/ui/copy';
import { Card, Facts } from '@/ui/page';
import { Failed, Skeleton } from '@/ui/state';
import { FullTime } from '@/ui/time';

export default function Details({ workload: w }: { workload: WorkloadDetails }) {
  const made = useQuery(record(kindRoute(w.type), w.id));
  return (
    <div className="grid wide-right">
      <Card title="Record">
        <Facts
          rows={[
            ['Id', <CopyValue key="id" text={w.id} />],
            ['Type', w.type],
            ['Project', w.projectName],
            ['Department', w.departmentName],
            ['Submitted by', w.submittedBy ?? null],
            ['Submitted through', w.source],
            ['Image', w.images?.length ? <CopyValue key="i" text={w.images.join(', ')} /> : 'none: a process on the node'],
            ['Command', w.command ? <CopyValue key="c" text={`${w.command} ${w.arguments ?? ''}`.trim()} /> : null],
            ['Framework', w.distributedFramework ?? null],
            ['Created', <FullTime key="t1" at={w.createdAt} />],
            ['Changed', <FullTime key="t2" at={w.updatedAt} />],
            ['Ended', <FullTime key="t3" at={w.completedAt} />],
          ]}
        />
      </Card>
      <Card title="YAML" actions={<span className="tiny muted">for gpuyard apply -f</span>}>
        {made.isPending ? <Skeleton lines={6} /> : made.isError ? <Failed small error={made.error} what="the specification" /> : <CodeBox label="YAML" text={asYaml(w, made.data.spec ?? {})} />}
      </Card>
    </div>
  );
}

function asYaml(w: WorkloadDetails, spec: Record<string, unknown>): string {
  return stringify({ kind: w.type, metadata: { name: w.name, project: w.projectName }, spec }, { lineWidth: 0 });
}
