import { useQuery } from '@tanstack/react-query';
import { at, isObject, putAll, textAt, type Spec } from '@/lib/paths';
import { AssetPage } from '@/pages/assets/asset-page';
import type { AssetKind } from '@/pages/assets/kinds';
import { assets } from '@/pages/new-workload/assets';

const idOf = (part: unknown) => (isObject(part) ? part.id : part);

/** The form has ids where the list has looked up names. */
const open = (spec: Spec): Spec => ({ spec: putAll(spec, { 'assets.environment': idOf(at(spec, 'assets.environment')), 'assets.compute': idOf(at(spec, 'assets.compute')) }) });

export default function Templates() {
  const environments = useQuery(assets('environment', ''));
  const computes = useQuery(assets('compute', ''));
  const names = (list: typeof environments.data): [string, string][] => (list ?? []).map((a) => [a.meta.id, a.meta.name]);
  // By id, or with its name where the list has looked it up.
  const nameOf = (list: typeof environments.data, part: unknown) => (isObject(part) ? textAt(part, 'name') : (list?.find((a) => a.meta.id === part)?.meta.name ?? ''));
  const kind: AssetKind = {
    route: 'workload-template',
    kind: 'workloadTemplate',
    label: 'Template',
    about: (spec) => [nameOf(environments.data, at(spec, 'assets.environment')), nameOf(computes.data, at(spec, 'assets.compute')), textAt(spec, 'specificEnv.command')].filter(Boolean),
    fields: [
      { path: 'spec.assets.environment', label: 'Environment', kind: 'select', required: true, options: [['', 'Choose…'], ...names(environments.data)] },
      { path: 'spec.assets.compute', label: 'Compute resource', kind: 'select', options: [['', 'none'], ...names(computes.data)] },
      { path: 'spec.specificEnv.command', label: 'Command', mono: true },
      { path: 'spec.specificEnv.args', label: 'Arguments', mono: true },
      { path: 'spec.specificEnv.environmentVariables', label: 'Variables', kind: 'pairs' },
      { path: 'spec.specificEnv.nodePools', label: 'Node pools', kind: 'list', hint: 'Best first, separated by commas. Empty: any.' },
      { path: 'spec.specificEnv.backoffLimit', label: 'Retries', kind: 'number' },
    ],
  };
  return (
    <AssetPage
      title="Templates"
      what="templates"
      sub="An environment and a size under one name"
      teach="A template joins an environment, a compute resource and data sources, ready to start from."
      createLabel="New template"
      list="workload-template"
      kinds={[kind]}
      resources={['templates']}
      open={open}
    />
  );
}
