import { AssetPage } from '@/pages/assets/asset-page';
import { CREDENTIALS } from '@/pages/assets/kinds';

export default function Credentials() {
  return (
    <AssetPage
      title="Credentials"
      what="credentials"
      sub="Kept encrypted; secrets are never shown again"
      teach="Passwords and keys for registries, buckets and repositories. Work uses them by name."
      createLabel="New credential"
      list="credentials"
      kinds={CREDENTIALS}
      resources={['credentials']}
    />
  );
}
