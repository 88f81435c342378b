// Taking over what an asset says into a draft.
import { api, type Schemas } from '@/api/client';
import { at, put, putAll, textAt, type Spec } from '@/pages/new-workload/draft';
import { queryOptions } from '@tanstack/react-query';

export type Asset = Schemas['AssetAnswer'];

export const assets = (path: string, projectId: string) =>
  queryOptions({
    queryKey: ['asset', path, projectId],
    queryFn: async () => {
      const all = (await api.get<Schemas['AssetList']>(`/api/v1/asset/${path}`)).entries;
      return all.filter((a) => a.meta.scope !== 'project' || !projectId || String(a.meta.projectId) === projectId);
    },
  });

const CONTAINER = ['image', 'imagePullPolicy', 'command', 'args', 'workingDir', 'environmentVariables', 'createHomeDir'];

interface Connection {
  name: string;
  internalToolInfo?: { toolType: string; connectionType: string; containerPort: number } | null;
}

/** Keeps what a draft was made from. Their fields are in the draft, so the server adds nothing. */
export const named = (spec: Spec, names: Record<string, unknown>): Spec =>
  putAll(spec, { ...Object.fromEntries(Object.entries(names).map(([key, value]) => [`assets.${key}`, value])), 'assets.applied': true });

export function withEnvironment(spec: Spec, asset: Asset): Spec {
  const from = asset.spec as Spec;
  const taken = Object.fromEntries(CONTAINER.map((key) => [key, from[key]]));
  const connections = ((from.connections as Connection[] | undefined) ?? []).filter((c) => c.internalToolInfo);
  const urls = connections.map((c) => ({ container: c.internalToolInfo?.containerPort, toolType: c.internalToolInfo?.toolType, toolName: c.name }));
  return named(putAll(spec, { ...taken, exposedUrls: urls }), { environment: asset.meta.name, environmentId: asset.meta.id });
}

export function usesEnvironment(spec: Spec, asset: Asset): boolean {
  const from = asset.spec as Spec;
  const said = CONTAINER.filter((key) => textAt(from, key) !== '');
  return said.length > 0 && ['image', 'command', 'args'].every((key) => textAt(spec, key) === textAt(from, key));
}

export const withCompute = (spec: Spec, asset: Asset): Spec => named(put(spec, 'compute', asset.spec), { compute: asset.meta.name });

const STORAGE: Record<string, string> = { nfs: 'nfs', 'host-path': 'hostPath', hostPath: 'hostPath', git: 'git', s3: 's3', pvc: 'pvc' };
const storagePath = (asset: Asset) => {
  const kind = STORAGE[asset.meta.kind];
  return kind ? `storage.${kind}` : null;
};

/** Lists of several kinds wrap the fields into the kind's name. */
export function innerSpec(asset: Asset): Spec {
  const spec = asset.spec as Spec;
  const keys = Object.keys(spec);
  const wraps = keys.length === 1 && keys[0] !== 'assets' && keys[0] !== 'compute';
  const only = wraps ? spec[keys[0] as string] : undefined;
  return typeof only === 'object' && only !== null && !Array.isArray(only) ? (only as Spec) : spec;
}

const listAt = (spec: Spec, path: string) => (at(spec, path) as Spec[] | undefined) ?? [];

export const mayMount = (asset: Asset) => storagePath(asset) !== null;
export function isMounted(spec: Spec, asset: Asset): boolean {
  const path = storagePath(asset);
  return path !== null && listAt(spec, path).some((item) => item.name === asset.meta.name);
}

export function withData(spec: Spec, asset: Asset, on: boolean): Spec {
  const path = storagePath(asset);
  if (!path) return spec;
  const others = listAt(spec, path).filter((item) => item.name !== asset.meta.name);
  const mounted = put(spec, path, on ? [...others, { name: asset.meta.name, ...innerSpec(asset) }] : others);
  const sources = listAt(spec, 'assets.datasources').filter((source) => source.id !== asset.meta.id);
  return named(mounted, { datasources: on ? [...sources, { id: asset.meta.id, name: asset.meta.name, type: asset.meta.kind }] : sources });
}
