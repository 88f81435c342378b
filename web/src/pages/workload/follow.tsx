import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { api, ApiError, type Schemas } from '@/api/client';
import { dryRun, record } from '@/api/engine';
import type { WorkloadDetails } from '@/api/queries';
import { applyParams, nextName, typeAfter } from '@/pages/new-workload/changes';
import { kindRoute, remove } from '@/pages/workloads/kinds';
import { Confirm } from '@/ui/confirm';
import { Check } from '@/ui/field';
import { toast } from '@/ui/toast';

type Made = Schemas['WorkloadRecord'];
const NAMES_TRIED = 20;

/** Submits under the first name that is free, from `name` on. */
async function submit(route: string, name: string, body: Record<string, unknown>): Promise<Made> {
  let next = name;
  for (let tries = 1; ; tries++) {
    try {
      return await api.post<Made>(route, { ...body, name: next });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409 || tries >= NAMES_TRIED) throw error;
      next = nextName(next);
    }
  }
}

/** The copy keeps the name. The scheduler is asked before the waiting work is deleted. */
async function replace(w: WorkloadDetails, params: URLSearchParams, body: Record<string, unknown>): Promise<Made> {
  const type = typeAfter(w.type, params);
  await dryRun(type, { ...body, name: w.name });
  await remove(w);
  return submit(kindRoute(type), w.name, body);
}

interface FollowProps {
  workload: WorkloadDetails;
  /** The change as the scheduler words it, and as address parameters. */
  words: string;
  change: string;
  onClose: () => void;
}

/** Starts a copy of waiting work with the change that lets it start. */
export function FollowDialog({ workload: w, words, change, onClose }: FollowProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [replaces, setReplaces] = useState(true);
  const run = async () => {
    const params = new URLSearchParams(change);
    const asked = await client.fetchQuery(record(kindRoute(w.type), w.id));
    const body = { projectId: w.projectId, clusterId: w.clusterId, spec: applyParams(asked.spec ?? {}, params) };
    const route = kindRoute(typeAfter(w.type, params));
    const made = replaces ? await replace(w, params, body) : await submit(route, nextName(w.name), body);
    toast(replaces ? `${made.name} takes the place of ${w.name}` : `${made.name} is submitted`);
    void client.invalidateQueries({ queryKey: ['workload'] });
    navigate(`/workloads/${made.workloadId}`);
  };
  return (
    <Confirm title={`Start ${w.name} ${words}?`} action="Apply and start" run={run} onClose={onClose}>
      <p>A copy with this one change is submitted{replaces ? ' under the same name' : ''}.</p>
      <Check label={`Delete ${w.name}, which waits`} hint="the copy takes its name" checked={replaces} onChange={setReplaces} />
    </Confirm>
  );
}
