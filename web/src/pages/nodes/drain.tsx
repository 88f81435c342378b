// Taking a node out of service, and back.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { act, type DrainOrder } from '@/api/engine';
import type { Node } from '@/api/queries';
import { textAt, type Spec } from '@/lib/paths';
import { plural } from '@/lib/quantity';
import { isoOf } from '@/lib/time';
import { workOn, type ShownGpu } from '@/pages/nodes/gpu-state';
import { Button } from '@/ui/button';
import { Confirm } from '@/ui/confirm';
import { EntityDialog, type FieldSpec } from '@/ui/entity-form';
import { CirclePlay, CircleSlash } from '@/ui/icons';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';

/** Work that was there runs to its end. */
export function drainWords(gpus: ShownGpu[]): string {
  const { seen, others } = workOn(gpus);
  if (seen === 0 && !others) return 'Drained';
  return seen === 0 ? 'Draining, work of others left' : `Draining, ${seen} left${others ? ' and work of others' : ''}`;
}

/** A person who drains a node learns here which work is on it now. */
export function leftWords(gpus: ShownGpu[] | null): string {
  if (!gpus) return 'Running work goes on to its end.';
  const { seen, others } = workOn(gpus);
  if (seen === 0 && !others) return 'Nothing holds a GPU here now.';
  const own = seen > 0 ? plural(seen, 'workload') : '';
  return `${[own, others ? 'work of others' : ''].filter(Boolean).join(' and ')} ${seen === 1 && !others ? 'holds' : 'hold'} GPUs here and ${seen === 1 && !others ? 'goes' : 'go'} on to the end.`;
}

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const fieldsFor = (gpus: ShownGpu[] | null): FieldSpec[] => [
  { path: 'reason', label: 'Reason', required: true, placeholder: 'GPU 3 reports errors', hint: `${leftWords(gpus)} Nothing new is placed here. People see the reason.` },
  {
    path: 'stop',
    label: 'Work that runs here',
    kind: 'select',
    options: [
      ['never', 'goes on to its end'],
      ['now', 'is stopped now'],
      ['at', 'is stopped at a time'],
    ],
    hint: 'What is stopped waits for another place, as after a preemption.',
  },
  { path: 'stopAt', label: 'Stop what still runs at', kind: 'time', required: true, hint: `Your time zone, ${ZONE}.`, when: (value) => value.stop === 'at' },
  { path: 'until', label: 'Take work again at', kind: 'time', hint: `Your time zone, ${ZONE}. Empty: when somebody resumes it.` },
];

/** What the server is told; a box that is out of view says nothing. */
export function orderOf(value: Spec, now: Date): DrainOrder {
  const [stop, until] = [textAt(value, 'stop'), textAt(value, 'until')];
  const stopAt = stop === 'now' ? now.toISOString() : stop === 'at' ? isoOf(textAt(value, 'stopAt')) : '';
  return { reason: textAt(value, 'reason'), ...(stopAt ? { stopAt } : {}), ...(until ? { until: isoOf(until) } : {}) };
}

/** What happens at which time, beside the reason. */
export function DrainTimes({ drain }: { drain: NonNullable<Node['drain']> }) {
  return (
    <>
      {drain.stopAt ? (
        <>
          {' '}
          What still runs is stopped <Time at={drain.stopAt} />.
        </>
      ) : null}
      {drain.until ? (
        <>
          {' '}
          It takes work again <Time at={drain.until} />.
        </>
      ) : null}
    </>
  );
}

export function DrainButton({ node, drained, gpus }: { node: Node; drained: boolean; gpus: ShownGpu[] | null }) {
  const [params, setParams] = useSearchParams();
  const [asking, setAsking] = useState(params.get('drain') === node.name);
  const client = useQueryClient();
  const id = node.id ?? '';
  const after = (text: string) => {
    toast(text);
    void client.invalidateQueries({ queryKey: ['node'] });
  };
  const close = () => {
    setAsking(false);
    if (!params.has('drain')) return;
    params.delete('drain');
    setParams(params, { replace: true });
  };
  return (
    <>
      <Button small icon={drained ? <CirclePlay size={13} /> : <CircleSlash size={13} />} onClick={() => setAsking(true)}>
        {drained ? 'Resume' : 'Drain'}
      </Button>
      {asking && drained ? (
        <Confirm title={`Let ${node.name} take work again?`} action="Resume" run={async () => (await act.resumeNode(id), after(`${node.name} takes work again`))} onClose={close}>
          <p>The scheduler may place work on it from now on.</p>
        </Confirm>
      ) : null}
      {asking && !drained ? (
        <EntityDialog
          title={`Drain ${node.name}`}
          action="Drain"
          initial={{ stop: 'never' }}
          fields={fieldsFor(gpus)}
          save={async (value) => (await act.drain(id, orderOf(value, new Date())), after(`${node.name} takes no new work`))}
          onClose={close}
        />
      ) : null}
    </>
  );
}
