import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { act, engine } from '@/api/engine';
import type { Workload } from '@/api/queries';
import { duration } from '@/lib/time';
import { remove, resume, suspend } from '@/pages/workloads/kinds';
import { Confirm } from '@/ui/confirm';
import { Check, Field } from '@/ui/field';
import { toast } from '@/ui/toast';

export type ActionName = 'stop' | 'resume' | 'delete' | 'hold' | 'release' | 'rerun' | 'extend';

interface Spec {
  title: (name: string) => string;
  action: string;
  danger?: boolean;
  says: string;
  done: string;
}

const SPECS: Record<ActionName, Spec> = {
  stop: {
    title: (name) => `Stop ${name}?`,
    action: 'Stop',
    danger: true,
    says: 'Its processes get the stop signal, then its GPUs become free. Logs, attempts and files on mounted storage stay. What is only in memory or in the container is lost. It can be resumed, which starts a new attempt.',
    done: 'is stopping',
  },
  resume: {
    title: (name) => `Resume ${name}?`,
    action: 'Resume',
    says: 'It joins the queue and starts a new attempt when there is room; if its GPU memory was kept, it goes on where it stopped as soon as the same GPUs are free. Its earlier logs stay.',
    done: 'is resuming',
  },
  delete: {
    title: (name) => `Delete ${name}?`,
    action: 'Delete',
    danger: true,
    says: 'If it runs, it is stopped. It is taken off the list, and its name becomes free. Its log and its output folder stay at the address of this page for 30 days, then they go. Files on mounted storage and saved data sets stay. This cannot be undone.',
    done: 'is deleted',
  },
  hold: { title: (name) => `Hold ${name}?`, action: 'Hold', says: 'It keeps its record but does not start until it is released.', done: 'is held' },
  release: { title: (name) => `Release ${name}?`, action: 'Release', says: 'It joins the queue again.', done: 'is released' },
  rerun: { title: (name) => `Run ${name} again?`, action: 'Run again', says: 'A new workload with the same settings is submitted. This one stays as it is.', done: 'runs again' },
  extend: { title: (name) => `Give ${name} more time?`, action: 'Extend', says: 'Its time limit moves by what you give.', done: 'has more time' },
};

const KEEP: Spec = {
  ...SPECS.stop,
  danger: false,
  says: 'Its processes stay and wait. What they have in GPU memory is copied to host memory, which can take seconds, then its GPUs are free for others. Resuming brings it back to the same GPUs when these are free. If the copy cannot be made, it simply runs on.',
  done: 'leaves its GPUs',
};

type Some = Pick<Workload, 'id' | 'name' | 'type' | 'phase' | 'allocatedResources'>;

/** What was chosen beside the action itself. */
interface Choice {
  seconds: number;
  keep: boolean;
}

function perform(action: ActionName, w: Some, { seconds, keep }: Choice): Promise<unknown> {
  switch (action) {
    case 'stop':
      return keep ? act.park(w.id) : suspend(w);
    case 'resume':
      return resume(w);
    case 'delete':
      return remove(w);
    case 'extend':
      return act.extend(w.id, seconds);
    default:
      return act[action](w.id);
  }
}

/** Asks for one action on one workload and says what it means. */
export function ActionDialog({ action, workload, onClose, after }: { action: ActionName; workload: Some; onClose: () => void; after?: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [hours, setHours] = useState('1');
  const [keep, setKeep] = useState(false);
  const spec = keep ? KEEP : SPECS[action];
  const run = async () => {
    const answer = await perform(action, workload, { seconds: Math.round(Number(hours) * 3600), keep });
    toast(`${workload.name} ${spec.done}`);
    void client.invalidateQueries({ queryKey: ['workload'] });
    const made = action === 'rerun' ? (answer as { workloadId?: string; id?: string } | undefined) : undefined;
    const id = made?.workloadId ?? made?.id;
    if (id) navigate(`/workloads/${id}`);
    after?.();
  };
  return (
    <Confirm title={spec.title(workload.name)} action={spec.action} danger={spec.danger} run={run} onClose={onClose}>
      <p>{spec.says}</p>
      {action === 'extend' ? <Hours value={hours} onChange={setHours} /> : null}
      {action === 'stop' ? <Keep workload={workload} value={keep} onChange={setKeep} /> : null}
    </Confirm>
  );
}

/** Whether its GPU memory goes to host memory instead of being lost; offered where that can be done. */
function Keep({ workload: w, value, onChange }: { workload: Some; value: boolean; onChange: (on: boolean) => void }): ReactNode {
  const abilities = useQuery(engine.abilities);
  const holdsGpus = w.phase === 'Running' && (w.allocatedResources?.gpu ?? 0) > 0;
  if (!holdsGpus || !abilities.data?.parking || w.type === 'Distributed') return null;
  return <Check label="Keep its GPU memory" hint="in host memory, so that it goes on where it stopped" checked={value} onChange={onChange} />;
}

function Hours({ value, onChange }: { value: string; onChange: (text: string) => void }): ReactNode {
  const seconds = Number(value) * 3600;
  return (
    <Field label="Hours to add" hint={seconds > 0 ? duration(seconds) : 'a number above zero'}>
      <input className="input" type="number" min="0.1" step="0.1" value={value} onChange={(e) => onChange(e.target.value)} />
    </Field>
  );
}
