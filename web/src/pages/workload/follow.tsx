import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { api, ApiError, type Schemas } from '@/api/client';
import { record } from '@/api/engine';
import type { WorkloadDetails } from '@/api/queries';
import { applyParams, nextName, typeAfter } from '@/pages/new-workload/changes';
import { kindRoute, remove } from '@/pages/workloads/kinds';
import { Confirm } from '@/ui/confirm';
import { Check } from '@/ui/field';
import { toast } from '@/ui/toast';

type Made = Schemas['WorkloadRecord'];
const NAMES_TRIED = 20;

/** Submits under the first name that is free. */
async function submit(route: string, name: string, body: Record<string, unknown>): Promise<Made> {
  let next = nextName(name);
  for (let tries = 1; ; tries++) {
    try {
      return await api.post<Made>(route, { ...body, name: next });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409 || tries >= NAMES_TRIED) throw error;
      next = nextName(next);
    }
  }
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
    const made = await submit(kindRoute(typeAfter(w.type, params)), w.name, body);
    if (replaces) await remove(w);
    toast(replaces ? `${made.name} takes the place of ${w.name}` : `${made.name} is submitted`);
    void client.invalidateQueries({ queryKey: ['workload'] });
    navigate(`/workloads/${made.workloadId}`);
  };
  return (
    <Confirm title={`Start ${w.name} ${words}?`} action="Start it so" run={run} onClose={onClose}>
      <p>A copy with this one change is submitted. The scheduler says that it starts now.</p>
      <Check label={`Delete ${w.name}, which waits`} hint="once the copy is accepted" checked={replaces} onChange={setReplaces} />
    </Confirm>
  );
}
