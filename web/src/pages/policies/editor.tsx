import { useQuery, useQueryClient } from '@tanstack/react-query';
import { parse, stringify } from 'yaml';
import { api, type Schemas } from '@/api/client';
import { put, textAt, type Spec } from '@/lib/paths';
import { policyQuery, ROUTES, type Place } from '@/pages/policies/place';
import { Dialog } from '@/ui/dialog';
import { EntityDialog, type FieldSpec } from '@/ui/entity-form';
import { readScope, ScopeField } from '@/ui/scope';
import { Failed } from '@/ui/state';
import { toast } from '@/ui/toast';

const EXAMPLE = 'defaults:\n  imagePullPolicy: IfNotPresent\nrules:\n  compute:\n    gpuDevicesRequest:\n      max: 2\n';
const TYPES: [string, string][] = Object.keys(ROUTES).map((type) => [type, type]);

function metaOf(value: Spec, place: Place | null): Spec {
  if (place) return { name: textAt(value, 'name'), scope: place.scope, projectId: place.projectId, departmentId: place.departmentId, clusterId: place.clusterId };
  const scope = readScope(textAt(value, 'scope'));
  const id = scope.type === 'project' ? { projectId: Number(scope.id) } : scope.type === 'department' ? { departmentId: scope.id } : scope.type === 'cluster' ? { clusterId: scope.id } : {};
  return { name: textAt(value, 'name'), scope: scope.type, ...id };
}

/** A policy as YAML; the server checks it and says which field is wrong. */
export function PolicyEditor({ entry, onClose }: { entry: Schemas['PolicyListEntry'] | null; onClose: () => void }) {
  const client = useQueryClient();
  const place = entry ? (entry.meta as Place) : null;
  const old = useQuery({ ...policyQuery(entry?.type ?? 'training', place ?? { scope: 'tenant' }), enabled: entry !== null });
  if (entry && old.isPending) return null;
  // Without what it says now, saving would empty it.
  if (entry && old.isError) {
    return (
      <Dialog title={`Edit ${entry.meta?.name}`} onClose={onClose}>
        <Failed small error={old.error} what="the policy" retry={() => void old.refetch()} />
      </Dialog>
    );
  }
  const text = entry ? stringify({ defaults: old.data?.policy?.defaults ?? {}, rules: old.data?.policy?.rules ?? {} }) : EXAMPLE;
  const fields: FieldSpec[] = [
    { path: 'name', label: 'Name', required: true },
    ...(entry ? [] : [{ path: 'type', label: 'For', kind: 'select' as const, options: TYPES }]),
    { path: 'text', label: 'Policy, in YAML', kind: 'area', mono: true, required: true, hint: 'defaults are filled in; rules bound what people may ask for: min, max, required, canEdit, options.' },
  ];
  const save = async (value: Spec) => {
    const policy = (parse(textAt(value, 'text')) ?? {}) as Spec;
    const type = entry?.type ?? textAt(value, 'type');
    await api.put(`/api/v2/policy/${ROUTES[type]}`, { meta: metaOf(value, place), policy });
    toast('The policy is saved');
    void client.invalidateQueries({ queryKey: ['policy'] });
  };
  return (
    <EntityDialog
      wide
      title={entry ? `Edit ${entry.meta?.name}` : 'New policy'}
      fields={fields}
      initial={{ name: entry?.meta?.name ?? '', type: 'workspace', text, scope: 'tenant:1' }}
      save={save}
      onClose={onClose}
      extra={(value, onChange) => (entry ? null : <ScopeField value={textAt(value, 'scope')} onChange={(scope) => onChange(put(value, 'scope', scope))} />)}
    />
  );
}
