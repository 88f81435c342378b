// The reusable assets: their routes, fields and columns, as data.
import type { Spec } from '@/lib/paths';
import { plural } from '@/lib/quantity';
import type { FieldSpec } from '@/ui/entity-form';

export interface AssetKind {
  /** The last part of its route. */
  route: string;
  /** What the API calls the kind in lists. */
  kind: string;
  label: string;
  fields: FieldSpec[];
  /** What tells one from another in a list: paths within the spec, or words made of it. */
  about: string[] | ((spec: Spec) => string[]);
}

const VARIABLES: FieldSpec = { path: 'spec.environmentVariables', label: 'Environment variables', kind: 'pairs' };

export const ENVIRONMENT: AssetKind = {
  route: 'environment', kind: 'environment',
  label: 'Environment',
  about: ['image', 'command'],
  fields: [
    { path: 'spec.image', label: 'Image', mono: true, placeholder: 'docker.io/library/python:3.12', hint: 'Without one, the command runs as a plain process on the node.' },
    { path: 'spec.imagePullPolicy', label: 'Pull the image', kind: 'select', options: [['IfNotPresent', 'when it is not there'], ['Always', 'always'], ['Never', 'never']] },
    { path: 'spec.command', label: 'Command', mono: true, hint: "Replaces the image's entry point." },
    { path: 'spec.args', label: 'Arguments', mono: true },
    { path: 'spec.workingDir', label: 'Working directory', mono: true },
    VARIABLES,
    { path: 'tool.toolType', label: 'Tool', kind: 'select', options: [['', 'none'], ['jupyter-notebook', 'Jupyter'], ['tensorboard', 'TensorBoard'], ['visual-studio-code', 'VS Code'], ['rstudio', 'RStudio'], ['mlflow', 'MLflow'], ['custom', 'another one']] },
    { path: 'tool.containerPort', label: 'Port of the tool', kind: 'number', when: (v) => Boolean((v.tool as { toolType?: string } | undefined)?.toolType), required: true },
  ],
};

const GPU_TYPES: [string, string][] = [
  ['', 'no GPU'],
  ['portion', 'whole GPUs or a part of one'],
  ['memory', 'an amount of GPU memory'],
];
const gpuType = (v: Record<string, unknown>) => (v.spec as { gpuRequestType?: string } | undefined)?.gpuRequestType ?? '';

/** "2 GPUs", "0.5 of a GPU", "4 cores", "16G". */
function sizeWords(spec: Spec): string[] {
  const devices = Number(spec.gpuDevicesRequest ?? 0);
  const part = Number(spec.gpuPortionRequest ?? 1);
  const gpu = devices === 0 ? 'no GPU' : part < 1 ? `${devices > 1 ? `${devices} × ` : ''}${part} of a GPU` : plural(devices, 'GPU');
  const memory = spec.gpuMemoryRequest ? [`${String(spec.gpuMemoryRequest)} GPU memory`] : [];
  const cores = spec.cpuCoreRequest ? [plural(Number(spec.cpuCoreRequest), 'core')] : [];
  return [gpu, ...memory, ...cores, ...(spec.cpuMemoryRequest ? [String(spec.cpuMemoryRequest)] : [])];
}

export const COMPUTE: AssetKind = {
  route: 'compute', kind: 'compute',
  label: 'Compute resource',
  about: sizeWords,
  fields: [
    { path: 'spec.gpuRequestType', label: 'GPUs are requested as', kind: 'select', options: GPU_TYPES },
    { path: 'spec.gpuDevicesRequest', label: 'GPU devices', kind: 'number', when: (v) => gpuType(v) !== '', required: true },
    { path: 'spec.gpuPortionRequest', label: 'Part of each GPU', kind: 'number', placeholder: '1', when: (v) => gpuType(v) === 'portion', hint: '1 is the whole GPU; 0.5 is half of it.' },
    { path: 'spec.gpuMemoryRequest', label: 'GPU memory', placeholder: '20G', when: (v) => gpuType(v) === 'memory' },
    { path: 'spec.cpuCoreRequest', label: 'CPU cores', kind: 'number', required: true },
    { path: 'spec.cpuMemoryRequest', label: 'Memory', placeholder: '16G', required: true },
    { path: 'spec.largeShmRequest', label: 'Large shared memory', kind: 'check' },
  ],
};

const MOUNT: FieldSpec = { path: 'spec.mountPath', label: 'Mount path', required: true, mono: true, placeholder: '/data' };
const READ_ONLY: FieldSpec = { path: 'spec.readOnly', label: 'Read only', kind: 'check' };

export const DATA_SOURCES: AssetKind[] = [
  { route: 'datasource/nfs', kind: 'nfs', label: 'NFS', about: ['server', 'path', 'mountPath'], fields: [{ path: 'spec.server', label: 'Server', required: true }, { path: 'spec.path', label: 'Exported path', required: true, mono: true }, MOUNT, READ_ONLY] },
  { route: 'datasource/host-path', kind: 'hostPath', label: 'Host path', about: ['path', 'mountPath'], fields: [{ path: 'spec.path', label: 'Host path', required: true, mono: true }, MOUNT, READ_ONLY] },
  { route: 'datasource/git', kind: 'git', label: 'Git', about: ['repository', 'branch', 'path'], fields: [{ path: 'spec.repository', label: 'Repository', required: true, mono: true }, { path: 'spec.branch', label: 'Branch' }, { path: 'spec.revision', label: 'Revision' }, { path: 'spec.path', label: 'Mount path', required: true, mono: true }] },
  { route: 'datasource/s3', kind: 's3', label: 'S3', about: ['url', 'bucket', 'path'], fields: [{ path: 'spec.url', label: 'Address of the service', required: true }, { path: 'spec.bucket', label: 'Bucket', required: true }, { path: 'spec.path', label: 'Mount path', required: true, mono: true }] },
  {
    route: 'datasource/pvc', kind: 'pvc',
    label: 'Named volume',
    about: ['claimName', 'path'],
    fields: [{ path: 'spec.claimName', label: 'Name of the volume', required: true }, { path: 'spec.existingPvc', label: 'It exists already', kind: 'check' }, { path: 'spec.claimInfo.size', label: 'Size', placeholder: '100G', when: (v) => !(v.spec as { existingPvc?: boolean } | undefined)?.existingPvc }, { path: 'spec.path', label: 'Mount path', required: true, mono: true }, READ_ONLY],
  },
];

export const CREDENTIALS: AssetKind[] = [
  { route: 'credentials/password', kind: 'password', label: 'User and password', about: ['user'], fields: [{ path: 'spec.user', label: 'User', required: true }, { path: 'spec.password', label: 'Password', kind: 'secret', required: true }] },
  { route: 'credentials/access-key', kind: 'accessKey', label: 'Access key', about: ['accessKeyId'], fields: [{ path: 'spec.accessKeyId', label: 'Access key id', required: true }, { path: 'spec.secretAccessKey', label: 'Secret access key', kind: 'secret', required: true }] },
  { route: 'credentials/docker-registry', kind: 'dockerRegistry', label: 'Image registry', about: ['url', 'user'], fields: [{ path: 'spec.url', label: 'Address of the registry', required: true }, { path: 'spec.user', label: 'User', required: true }, { path: 'spec.password', label: 'Password', kind: 'secret', required: true }] },
  { route: 'credentials/generic-secret', kind: 'genericSecret', label: 'Other secret', about: [], fields: [{ path: 'spec.keyValuePairs', label: 'Keys and values', kind: 'pairs', pair: ['key', 'value'] }] },
];

/** Lists say the kind in their own word; a kind that is not known here cannot be edited here. */
export const kindOf = (kind: string, kinds: AssetKind[]): AssetKind | undefined => (kinds.length === 1 ? kinds[0] : kinds.find((one) => one.kind === kind));
