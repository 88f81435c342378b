import { at, put, type Spec } from '@/lib/paths';
import { AssetPage } from '@/pages/assets/asset-page';
import { ENVIRONMENT } from '@/pages/assets/kinds';

interface Connection {
  name: string;
  internalToolInfo?: { toolType: string; containerPort: number; connectionType: string } | null;
}

/** The form edits one tool; further connections stay as they are. */
function open(spec: Spec): Spec {
  const first = ((spec.connections as Connection[] | undefined) ?? [])[0]?.internalToolInfo;
  return { tool: first ? { toolType: first.toolType, containerPort: first.containerPort } : {} };
}

function fix(spec: Spec, form: Spec): Spec {
  const tool = at(form, 'tool') as { toolType?: string; containerPort?: number } | undefined;
  const rest = ((spec.connections as Connection[] | undefined) ?? []).slice(1);
  if (!tool?.toolType) return put(spec, 'connections', rest);
  const info = { toolType: tool.toolType, connectionType: 'ExternalUrl', containerPort: tool.containerPort };
  return put(spec, 'connections', [{ name: tool.toolType, isExternal: false, internalToolInfo: info }, ...rest]);
}

export default function Environments() {
  return (
    <AssetPage
      title="Environments"
      what="environments"
      sub="Images with what they need to start and the tools inside"
      teach="An environment saves people from typing images and commands. Make one for each kind of work."
      createLabel="New environment"
      list="environment"
      page="/environments"
      kinds={[ENVIRONMENT]}
      resources={['environments']}
      open={open}
      fix={fix}
    />
  );
}
