// What somebody who looks after the cluster should see first. Nothing is shown when all is well.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { ReactNode } from 'react';
import { engine } from '@/api/engine';
import { queries, useAllowed, type Project } from '@/api/queries';
import { reservations, stateAt } from '@/api/reservations';
import { gpus, plural } from '@/lib/quantity';
import { Badge, type Tone } from '@/ui/badge';
import { Card } from '@/ui/page';
import { useNow } from '@/ui/time';

export interface Concern {
  key: string;
  tone: Tone;
  label: string;
  text: ReactNode;
  to: string;
}

const MOST_NODES = 500;
const DAY = 86_400_000;
const HOUR = 3_600_000;
/** So many failures in a day are no accident. */
const MANY_FAILURES = 5;
const MOST_FAILURES = 250;

function useNodeConcerns(on: boolean): Concern[] {
  const nodes = useQuery({ ...queries.nodes('', 0, MOST_NODES), enabled: on });
  const devices = useQuery({ ...engine.gpus({}), enabled: on, retry: false });
  const find = (name: string) => `/nodes?q=${encodeURIComponent(name)}`;
  const list = nodes.data?.nodes ?? [];
  return [
    ...list.filter((n) => n.status !== 'Ready').map((n): Concern => ({ key: `down ${n.name}`, tone: 'bad', label: 'Node down', text: `${n.name} is not ready`, to: find(n.name) })),
    ...(devices.data ?? []).filter((g) => g.fault).map((g): Concern => ({ key: g.uuid, tone: 'bad', label: 'Faulty GPU', text: `${g.node}: ${g.fault}`, to: find(g.node) })),
    ...list.filter((n) => n.drain).map((n): Concern => ({ key: `drain ${n.name}`, tone: 'wait', label: 'No new work', text: `${n.name} is drained${n.drain?.reason ? `: ${n.drain.reason}` : ''}`, to: find(n.name) })),
  ];
}

function useIdleReservations(on: boolean): Concern[] {
  const list = useQuery({ ...reservations, enabled: on, retry: false });
  const projects = useQuery({ ...queries.projects, enabled: on });
  const now = useNow();
  const held = new Map((projects.data ?? []).map((p: Project) => [p.name, p.status.quotaStatus?.allocated?.gpu ?? 0]));
  return (list.data ?? [])
    .filter((r) => stateAt(r, now) === 'active' && held.get(r.projectName) === 0)
    .map((r) => ({ key: r.id, tone: 'wait', label: 'Unused reservation', text: `${r.name}: ${plural(r.gpu, 'GPU')} for ${r.projectName}, which uses none`, to: `/reservations?reservation=${r.id}` }));
}

/** Rounded, so that the question stays the same for a while. */
const yesterday = (now: number) => new Date(Math.floor(now / HOUR) * HOUR - DAY).toISOString().replace('.000', '');

function useFailingProjects(on: boolean): Concern[] {
  const now = useNow();
  const since = yesterday(now);
  const failed = useQuery({ ...queries.workloads({ filterBy: `phase==Failed,completedAt>=${since}`, sortBy: 'completedAt', sortOrder: 'desc', limit: MOST_FAILURES }), enabled: on });
  const byProject = new Map<string, { id: string; count: number }>();
  for (const w of failed.data?.workloads ?? []) {
    const one = byProject.get(w.projectName) ?? { id: w.projectId, count: 0 };
    byProject.set(w.projectName, { ...one, count: one.count + 1 });
  }
  const all = (failed.data?.total ?? 0) <= MOST_FAILURES;
  return [...byProject]
    .filter(([, { count }]) => count >= MANY_FAILURES)
    .map(([name, { id, count }]) => ({ key: `failing ${name}`, tone: 'wait', label: 'Many failures', text: `${name}: ${all ? '' : 'at least '}${plural(count, 'workload')} failed in the last day`, to: `/workloads?project=${id}&is.phase=Failed` }));
}

function useIdleGpus(on: boolean): Concern[] {
  const rows = useQuery({ ...queries.workloads({ filterBy: 'phase==Running', limit: 500 }), enabled: on });
  return (rows.data?.workloads ?? [])
    .filter((w) => (w.idleAllocatedGpus ?? 0) > 0)
    .map((w) => ({ key: `idle ${w.id}`, tone: 'wait', label: 'Idle', text: `${w.projectName}/${w.name} by ${w.submittedBy ?? 'unknown'}: ${plural(Number(gpus(w.idleAllocatedGpus)), 'idle GPU')}`, to: `/workloads/${w.id}` }));
}

const SHOWN = 8;

export function Attention() {
  const allowed = useAllowed();
  const nodes = allowed('nodes');
  const all = [...useNodeConcerns(nodes), ...useIdleReservations(allowed('project') && nodes), ...useIdleGpus(nodes), ...useFailingProjects(nodes)];
  if (all.length === 0) return null;
  return (
    <Card title={`Needs attention (${all.length})`}>
      <ul className="stack tight" aria-label="Needs attention">
        {all.slice(0, SHOWN).map((one) => (
          <li key={one.key} className="row small">
            <Badge tone={one.tone}>{one.label}</Badge>
            <Link className="clip" to={one.to}>
              {one.text}
            </Link>
          </li>
        ))}
        {all.length > SHOWN ? <li className="small muted">and {all.length - SHOWN} more</li> : null}
      </ul>
    </Card>
  );
}
