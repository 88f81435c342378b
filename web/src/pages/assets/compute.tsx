import type { Spec } from '@/lib/paths';
import { AssetPage } from '@/pages/assets/asset-page';
import { COMPUTE } from '@/pages/assets/kinds';

function fix(spec: Spec): Spec {
  if (spec.gpuRequestType) return spec.gpuRequestType === 'portion' ? { gpuPortionRequest: 1, ...spec } : spec;
  const { gpuDevicesRequest: _, gpuPortionRequest: __, gpuMemoryRequest: ___, ...rest } = spec;
  return { gpuDevicesRequest: 0, ...rest };
}

export default function Compute() {
  return (
    <AssetPage
      title="Compute resources"
      what="compute resources"
      sub="Amounts of GPU, CPU and memory that people choose by name"
      teach="Name the sizes your lab uses, such as half-gpu or two-gpus."
      createLabel="New compute resource"
      list="compute"
      kinds={[COMPUTE]}
      resources={['compute-resources']}
      fix={fix}
    />
  );
}
