import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from '@/ui/icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { api, type Schemas } from '@/api/client';
import { useAllowed } from '@/api/queries';
import { at, put, textAt, type Spec } from '@/lib/paths';
import { kindOf as kindNamed, type AssetKind } from '@/pages/assets/kinds';
import { innerSpec, type Asset } from '@/pages/new-workload/assets';
import { Confirm } from '@/ui/confirm';
import { EntityDialog, type FieldSpec } from '@/ui/entity-form';
import { Field } from '@/ui/field';
import { ResourcePage } from '@/ui/resource-page';
import { readScope, ScopeField, useScopeNames } from '@/ui/scope';
import type { Column } from '@/ui/table';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';

export interface AssetPageProps {
  title: string;
  what: string;
  sub: string;
  teach: string;
  createLabel: string;
  /** The list's route. */
  list: string;
  kinds: AssetKind[];
  /** Any of these lets a person create. */
  resources: string[];
  /** Between the form and what is sent. */
  fix?: (spec: Spec, form: Spec) => Spec;
  open?: (spec: Spec) => Spec;
  /** Where each of them has a page of its own. */
  page?: string;
}

const kindOf = (asset: Asset, kinds: AssetKind[]) => kindNamed(asset.meta.kind, kinds);
const kindLabel = (asset: Asset, kinds: AssetKind[]) => kindOf(asset, kinds)?.label ?? asset.meta.kind;

function about(asset: Asset, kinds: AssetKind[]): string {
  const spec = innerSpec(asset);
  const told = kindOf(asset, kinds)?.about ?? [];
  const parts = typeof told === 'function' ? told(spec) : told.map((path) => textAt(spec, path)).filter(Boolean);
  return parts.join(' · ') || '–';
}

export function AssetPage(props: AssetPageProps) {
  const rows = useQuery({ queryKey: ['asset', props.list, 'page'], queryFn: async () => (await api.get<Schemas['AssetList']>(`/api/v1/asset/${props.list}`)).entries });
  const allowed = useAllowed();
  const scopeName = useScopeNames();
  const [editing, setEditing] = useState<Asset | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Asset | null>(null);
  const may = (action: string) => props.resources.some((r) => allowed(r, action));
  const where = (a: Asset) => scopeName(a.meta.scope, a.meta.scope === 'project' ? a.meta.projectId : a.meta.departmentId);
  const columns: Column<Asset>[] = [
    { id: 'name', header: 'Name', cell: (a) => (props.page ? <Link className="strong" to={`${props.page}/${a.meta.id}`}>{a.meta.name}</Link> : <span className="strong">{a.meta.name}</span>), text: (a) => a.meta.name },
    ...(props.kinds.length > 1 ? [{ id: 'kind', header: 'Kind', cell: (a: Asset) => kindLabel(a, props.kinds), text: (a: Asset) => kindLabel(a, props.kinds) }] : []),
    { id: 'about', header: 'What', cell: (a) => <span className="clip cell-clip wide mono tiny" title={about(a, props.kinds)}>{about(a, props.kinds)}</span>, text: (a) => about(a, props.kinds) },
    { id: 'scope', header: 'Scope', cell: where, text: where },
    { id: 'note', header: 'Description', cell: (a) => <span className="clip cell-clip">{a.meta.description || '–'}</span>, text: (a) => a.meta.description },
    { id: 'by', header: 'Made by', cell: (a) => a.meta.createdBy, text: (a) => a.meta.createdBy },
    { id: 'updated', header: 'Changed', cell: (a) => <Time at={a.meta.updatedAt} />, text: (a) => a.meta.updatedAt },
  ];
  return (
    <>
      <ResourcePage
        title={props.title}
        what={props.what}
        sub={props.sub}
        rows={rows}
        columns={columns}
        rowId={(a) => a.meta.id}
        nameOf={(a) => a.meta.name}
        onCreate={may('create') && (() => setEditing('new'))}
        createLabel={props.createLabel}
        teach={props.teach}
        menu={(a) => [
          may('update') && kindOf(a, props.kinds) !== undefined && { label: 'Edit…', icon: <Pencil size={15} />, onSelect: () => setEditing(a) },
          may('delete') && kindOf(a, props.kinds) !== undefined && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setDeleting(a) },
        ]}
      />
      {editing ? <AssetDialog {...props} asset={editing === 'new' ? null : editing} onClose={() => setEditing(null)} /> : null}
      {deleting ? <DeleteAsset asset={deleting} route={kindOf(deleting, props.kinds)?.route ?? ''} onClose={() => setDeleting(null)} /> : null}
    </>
  );
}

function DeleteAsset({ asset, route, onClose }: { asset: Asset; route: string; onClose: () => void }) {
  const client = useQueryClient();
  const run = async () => {
    await api.del(`/api/v1/asset/${route}/${asset.meta.id}`);
    toast(`${asset.meta.name} is deleted`);
    void client.invalidateQueries({ queryKey: ['asset'] });
  };
  return (
    <Confirm title={`Delete ${asset.meta.name}?`} action="Delete" danger run={run} onClose={onClose}>
      <p>Workloads that were made from it keep what they took. Nobody can choose it any more.</p>
    </Confirm>
  );
}

const META: FieldSpec[] = [
  { path: 'meta.name', label: 'Name', required: true },
  { path: 'meta.description', label: 'Description' },
];

function scopeFields(text: string): Spec {
  const scope = readScope(text);
  if (scope.type === 'project') return { scope: 'project', projectId: Number(scope.id) };
  if (scope.type === 'department') return { scope: 'department', departmentId: scope.id };
  if (scope.type === 'cluster') return { scope: 'cluster', clusterId: scope.id };
  return { scope: 'tenant' };
}

function AssetDialog({ asset, kinds, createLabel, fix, open, onClose }: AssetPageProps & { asset: Asset | null; onClose: () => void }) {
  const client = useQueryClient();
  const [route, setRoute] = useState((asset ? kindOf(asset, kinds) : kinds[0])?.route ?? '');
  const kind = kinds.find((k) => k.route === route);
  const spec = asset ? innerSpec(asset) : {};
  const initial: Spec = asset ? { meta: { name: asset.meta.name, description: asset.meta.description ?? '' }, spec, ...open?.(spec) } : { meta: {}, spec: {}, scope: 'tenant:1' };
  const save = async (form: Spec) => {
    const body = { meta: at(form, 'meta') as Spec, spec: fix ? fix((at(form, 'spec') as Spec) ?? {}, form) : (at(form, 'spec') ?? {}) };
    if (asset) await api.put(`/api/v1/asset/${route}/${asset.meta.id}`, body);
    else await api.post(`/api/v1/asset/${route}`, { ...body, meta: { ...body.meta, ...scopeFields(textAt(form, 'scope')) } });
    toast(`${textAt(form, 'meta.name')} is saved`);
    void client.invalidateQueries({ queryKey: ['asset'] });
  };
  return (
    <EntityDialog
      title={asset ? `Edit ${asset.meta.name}` : createLabel}
      fields={[...META, ...(kind?.fields ?? [])]}
      initial={initial}
      save={save}
      onClose={onClose}
      lead={(value, onChange) =>
        asset ? null : (
          <>
            {kinds.length > 1 ? (
              <Field label="Kind">
                <select className="select" name="kind" value={route} onChange={(e) => (setRoute(e.target.value), onChange(put(value, 'spec', {})))}>
                  {kinds.map((k) => (
                    <option key={k.route} value={k.route}>
                      {k.label}
                    </option>
                  ))}
                </select>
              </Field>
            ) : null}
          </>
        )
      }
      extra={(value, onChange) => (asset ? null : <ScopeField value={textAt(value, 'scope')} onChange={(text) => onChange(put(value, 'scope', text))} hint="Everybody below the scope may use it." />)}
    />
  );
}
