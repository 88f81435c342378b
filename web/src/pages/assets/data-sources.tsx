import { AssetPage } from '@/pages/assets/asset-page';
import { DATA_SOURCES } from '@/pages/assets/kinds';

export default function DataSources() {
  return (
    <AssetPage
      title="Data sources"
      what="data sources"
      sub="Where data comes from and where results stay"
      teach="A data source is mounted into work by name: an NFS export, a folder, a git repository, a bucket."
      createLabel="New data source"
      list="datasource"
      kinds={DATA_SOURCES}
      resources={['nfs-assets', 'host-path-assets', 'git-assets', 's3-assets', 'pvc-assets']}
    />
  );
}
