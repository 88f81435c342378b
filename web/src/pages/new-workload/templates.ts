// A template joins an environment, a compute resource and data sources: what it says, in a draft.
import type { Spec } from '@/lib/paths';
import { at, isObject, putAll, textAt } from '@/lib/paths';
import { named, withCompute, withData, withEnvironment, type Asset } from '@/pages/new-workload/assets';

export interface Parts {
  environments: Asset[];
  computes: Asset[];
  data: Asset[];
}

const idOf = (part: unknown): string => (isObject(part) ? String(part.id ?? '') : String(part ?? ''));
const find = (list: Asset[], part: unknown) => list.find((asset) => asset.meta.id === idOf(part));

/** What a template says beside its assets, by the names that a workload has for it. */
const OWN: Record<string, string> = {
  command: 'command',
  args: 'args',
  nodeType: 'nodeType',
  nodePools: 'nodePools',
  backoffLimit: 'retry.limit',
};

export function environmentOf(template: Asset, parts: Parts): Asset | undefined {
  return find(parts.environments, at(template.spec as Spec, 'assets.environment'));
}

/** Its assets that no longer exist, or that the person may not see. */
export function missingOf(template: Asset, parts: Parts): string[] {
  const spec = template.spec as Spec;
  const sources = (at(spec, 'assets.datasources') as Spec[] | undefined) ?? [];
  return [
    ...(environmentOf(template, parts) ? [] : ['its environment']),
    ...(at(spec, 'assets.compute') && !find(parts.computes, at(spec, 'assets.compute')) ? ['its compute resource'] : []),
    ...(sources.every((source) => find(parts.data, source)) ? [] : ['a data source']),
  ];
}

export function withTemplate(spec: Spec, template: Asset, parts: Parts): Spec {
  const from = template.spec as Spec;
  const environment = environmentOf(template, parts);
  const compute = find(parts.computes, at(from, 'assets.compute'));
  let next = environment ? withEnvironment(spec, environment) : spec;
  if (compute) next = withCompute(next, compute);
  for (const source of (at(from, 'assets.datasources') as Spec[] | undefined) ?? []) {
    const asset = find(parts.data, source);
    if (asset) next = withData(next, asset, true);
  }
  const own = Object.entries(OWN).flatMap(([key, path]) => ((value) => (value === undefined || value === null || value === '' ? [] : [[path, value]]))(at(from, `specificEnv.${key}`)));
  const variables = at(from, 'specificEnv.environmentVariables') as Spec[] | undefined;
  const all = [...((at(next, 'environmentVariables') as Spec[] | undefined) ?? []), ...(variables ?? [])];
  next = named(next, { template: template.meta.name });
  return putAll(next, { ...(Object.fromEntries(own) as Spec), ...(all.length > 0 ? { environmentVariables: all } : {}) });
}

/** With a tool to open it is a place to work in; else a command that runs to its end. */
export const typeOf = (spec: Spec) => (((at(spec, 'exposedUrls') as unknown[] | undefined) ?? []).length > 0 ? ('Workspace' as const) : ('Training' as const));

export const describe = (template: Asset, parts: Parts): string => {
  const spec = template.spec as Spec;
  const nameOf = (list: Asset[], part: unknown) => find(list, part)?.meta.name ?? (isObject(part) ? textAt(part, 'name') : '');
  return [template.meta.description, nameOf(parts.environments, at(spec, 'assets.environment')), nameOf(parts.computes, at(spec, 'assets.compute'))].filter(Boolean).join(' · ');
};
