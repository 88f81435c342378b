// Labels of a node: shown, and changed by those who may. They decide to which pool it belongs.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { act } from '@/api/engine';
import type { Node } from '@/api/queries';
import { at, type Spec } from '@/lib/paths';
import { Button } from '@/ui/button';
import { EntityDialog } from '@/ui/entity-form';
import { Pencil } from '@/ui/icons';
import { toast } from '@/ui/toast';

type Labels = Record<string, string>;

/** What turns the labels before into those of the form. */
export function changeOf(before: Labels, value: Spec): { set: Labels; remove: string[] } {
  const pairs = (at(value, 'labels') as { name?: string; value?: string }[] | undefined) ?? [];
  const after = Object.fromEntries(pairs.flatMap((p) => (p.name?.trim() ? [[p.name.trim(), p.value?.trim() ?? '']] : []))) as Labels;
  return {
    set: Object.fromEntries(Object.entries(after).filter(([key, text]) => before[key] !== text)),
    remove: Object.keys(before).filter((key) => !(key in after)),
  };
}

export function LabelList({ labels }: { labels: Labels }) {
  const list = Object.entries(labels);
  if (list.length === 0) return <span className="muted">none</span>;
  return (
    <span className="row wrap">
      {list.map(([key, value]) => (
        <code key={key} className="tiny break">
          {key}={value}
        </code>
      ))}
    </span>
  );
}

export function EditLabels({ node }: { node: Node }) {
  const [editing, setEditing] = useState(false);
  const client = useQueryClient();
  const labels = node.labels ?? {};
  const save = async (value: Spec) => {
    const change = changeOf(labels, value);
    if (Object.keys(change.set).length === 0 && change.remove.length === 0) return;
    await act.labelNode(node.id ?? '', change);
    toast(`The labels of ${node.name} are changed`);
    void client.invalidateQueries({ queryKey: ['node'] });
  };
  return (
    <>
      <Button small icon={<Pencil size={13} />} onClick={() => setEditing(true)}>
        Edit labels
      </Button>
      {editing ? (
        <EntityDialog
          title={`Labels of ${node.name}`}
          fields={[{ path: 'labels', label: 'Labels', kind: 'pairs' }]}
          initial={{ labels: Object.entries(labels).map(([name, value]) => ({ name, value })) }}
          save={save}
          onClose={() => setEditing(false)}
          extra={() => <p className="small muted">A label may move the node to another pool. Those that its engine reports come back.</p>}
        />
      ) : null}
    </>
  );
}
