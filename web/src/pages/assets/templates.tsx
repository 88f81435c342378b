import { useQuery } from '@tanstack/react-query';
import { AssetPage } from '@/pages/assets/asset-page';
import type { AssetKind } from '@/pages/assets/kinds';
import { assets } from '@/pages/new-workload/assets';

export default function Templates() {
  const environments = useQuery(assets('environment', ''));
  const computes = useQuery(assets('compute', ''));
  const names = (list: typeof environments.data): [string, string][] => (list ?? []).map((a) => [a.meta.id, a.meta.name]);
  const kind: AssetKind = {
    route: 'workload-template',
    label: 'Template',
    about: ['specificEnv.command'],
    fields: [
      { path: 'spec.assets.environment', label: 'Environment', kind: 'select', required: true, options: [['', 'Choose…'], ...names(environments.data)] },
      { path: 'spec.assets.compute', label: 'Compute resource', kind: 'select', options: [['', 'none'], ...names(computes.data)] },
      { path: 'spec.specificEnv.command', label: 'Command', mono: true },
      { path: 'spec.specificEnv.args', label: 'Arguments', mono: true },
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
    />
  );
}
