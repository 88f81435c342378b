// Taking a node out of service, and back.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { act } from '@/api/engine';
import type { Node } from '@/api/queries';
import { plural } from '@/lib/quantity';
import { workOn, type ShownGpu } from '@/pages/nodes/gpu-state';
import { Button } from '@/ui/button';
import { Confirm } from '@/ui/confirm';
import { EntityDialog } from '@/ui/entity-form';
import { CirclePlay, CircleSlash } from '@/ui/icons';
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
          initial={{}}
          fields={[{ path: 'reason', label: 'Reason', required: true, placeholder: 'GPU 3 reports errors', hint: `${leftWords(gpus)} Nothing new is placed here. People see the reason.` }]}
          save={async (value) => (await act.drain(id, String(value.reason ?? '')), after(`${node.name} is drained`))}
          onClose={close}
        />
      ) : null}
    </>
  );
}
