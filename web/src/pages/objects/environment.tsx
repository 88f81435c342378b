import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import { api, type Schemas } from '@/api/client';
import { textAt, type Spec } from '@/lib/paths';
import { innerSpec, type Asset } from '@/pages/new-workload/assets';
import { useMayAct } from '@/pages/workloads/kinds';
import { useScopeNames } from '@/ui/scope';
import { CodeBox } from '@/ui/copy';
import { Package } from '@/ui/icons';
import { Card, Facts, Page } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Time } from '@/ui/time';

interface Connection {
  name: string;
  internalToolInfo?: { toolType: string; containerPort: number } | null;
}

export default function EnvironmentPage() {
  const { id = '' } = useParams();
  const list = useQuery({ queryKey: ['asset', 'environment', 'page'], queryFn: async () => (await api.get<Schemas['AssetList']>('/api/v1/asset/environment')).entries });
  const asset = list.data?.find((one) => one.meta.id === id);
  if (asset) return <Loaded asset={asset} />;
  return (
    <Page title="Environment">
      <div className="card card-body">
        {list.isPending ? <Skeleton lines={5} /> : list.isError ? <Failed error={list.error} what="this environment" /> : <Empty title="There is no such environment in your view" icon={<Package size={20} />} action={<Link className="button" to="/environments">All environments</Link>} />}
      </div>
    </Page>
  );
}

function Loaded({ asset }: { asset: Asset }) {
  const may = useMayAct();
  const spec: Spec = innerSpec(asset);
  const scopeName = useScopeNames();
  const tools = (spec.connections as Connection[] | undefined) ?? [];
  const variables = ((spec.environmentVariables as { name: string; value?: string }[] | undefined) ?? []).map((v) => v.name);
  const command = [textAt(spec, 'command'), textAt(spec, 'args')].filter(Boolean).join(' ');
  const start = (type: string) => `/workloads/new?type=${type}&environment=${asset.meta.id}`;
  return (
    <Page
      title={asset.meta.name}
      heading={
        <div className="row wrap">
          <Package size={20} aria-hidden className="muted" />
          <h1 className="break">{asset.meta.name}</h1>
        </div>
      }
      sub={asset.meta.description || 'Environment'}
      actions={
        <>
          {may('Training', 'create') ? (
            <Link className="button" to={start('Training')}>
              Start a training
            </Link>
          ) : null}
          {may('Workspace', 'create') ? (
            <Link className="button primary" to={start('Workspace')}>
              Start a workspace
            </Link>
          ) : null}
        </>
      }
    >
      <div className="grid">
        <Card title="What runs">
          <Facts
            rows={[
              ['Image', textAt(spec, 'image') ? <code key="i" className="break small">{textAt(spec, 'image')}</code> : 'none: a plain process on the node'],
              ['Command', command ? <code key="c" className="break small">{command}</code> : "the image's own"],
              ['Working directory', textAt(spec, 'workingDir') || null],
              ['Variables', variables.join(', ') || null],
              ['Tools', tools.map((t) => `${t.name}${t.internalToolInfo?.containerPort ? `, port ${t.internalToolInfo.containerPort}` : ''}`).join('; ') || null],
            ]}
          />
        </Card>
        <Card title="Who may use it">
          <Facts
            rows={[
              ['Scope', scopeName(asset.meta.scope, asset.meta.scope === 'project' ? asset.meta.projectId : asset.meta.departmentId)],
              ['Made by', asset.meta.createdBy],
              ['Changed', <Time key="u" at={asset.meta.updatedAt} />],
            ]}
          />
        </Card>
        {textAt(spec, 'image') && may('Training', 'create') ? (
          <Card title="On the command line">
            <CodeBox wraps label="Start a training with it" text={`gpuyard submit -i ${textAt(spec, 'image')} --gpu 1 -- ${command || 'python train.py'}`} />
          </Card>
        ) : null}
      </div>
    </Page>
  );
}
