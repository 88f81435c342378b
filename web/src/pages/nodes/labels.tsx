// Changing the labels of a node, which decide the pool it is in.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { act } from '@/api/engine';
import type { Node } from '@/api/queries';
import { Button } from '@/ui/button';
import { EntityDialog } from '@/ui/entity-form';
import { Tag } from '@/ui/icons';
import { toast } from '@/ui/toast';

interface Pair {
  name?: string;
  value?: string;
}

/** What changed between the labels of a node and the pairs of a form. */
export function labelChanges(before: Record<string, string>, pairs: Pair[]): { set: Record<string, string>; remove: string[] } {
  const after = Object.fromEntries(pairs.filter((pair) => pair.name).map((pair) => [pair.name ?? '', pair.value ?? '']));
  return {
    set: Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key] !== value)),
    remove: Object.keys(before).filter((key) => !(key in after)),
  };
}

export function LabelsButton({ node }: { node: Node }) {
  const [open, setOpen] = useState(false);
  const client = useQueryClient();
  const before = node.labels ?? {};
  const save = async (pairs: Pair[]) => {
    await act.label(node.id ?? '', labelChanges(before, pairs));
    toast(`${node.name} has its new labels`);
    await client.invalidateQueries({ queryKey: ['node'] });
  };
  return (
    <>
      <Button small icon={<Tag size={13} />} onClick={() => setOpen(true)}>
        Labels
      </Button>
      {open ? (
        <EntityDialog
          title={`Labels of ${node.name}`}
          action="Save"
          initial={{ labels: Object.entries(before).map(([name, value]) => ({ name, value })) }}
          fields={[{ path: 'labels', label: 'Labels', kind: 'pairs', hint: 'A label may move the node to another pool. What runs there goes on.' }]}
          save={(value) => save((value.labels as Pair[] | undefined) ?? [])}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
