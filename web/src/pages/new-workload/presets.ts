// Tools that start without further knowledge: command, port and address are filled in. The server
// gives each workload a free port in GPUYARD_PORT and the path it is reached at in
// GPUYARD_BASE_URL, so two people can start the same preset on one node.
import type { Spec } from '@/lib/paths';
import type { WorkloadType } from '@/pages/workloads/kinds';

export interface Preset {
  id: string;
  label: string;
  about: string;
  type: WorkloadType;
  /** What the workload is called unless the person says otherwise; a number is added if it is taken. */
  name: string;
  make: (secret: () => string) => Spec;
}

/** The port inside a container; a plain process gets one of its own. */
const JUPYTER_PORT = 8888;
const TENSORBOARD_PORT = 6006;

const inShell = (line: string): Spec => ({ command: 'sh', args: `-c 'exec ${line}'` });

const JUPYTER = [
  'jupyter lab --no-browser --ip=127.0.0.1 --port="$GPUYARD_PORT" --ServerApp.port_retries=0 --ServerApp.allow_root=True',
  '--ServerApp.base_url="$GPUYARD_BASE_URL"',
].join(' ');
const TENSORBOARD = 'tensorboard --logdir . --host 127.0.0.1 --port "$GPUYARD_PORT" --path_prefix "${GPUYARD_BASE_URL%/}"';

export const PRESETS: Preset[] = [
  {
    id: 'jupyter',
    label: 'JupyterLab',
    about: 'A notebook in the browser',
    type: 'Workspace',
    name: 'jupyter',
    // Without a token, everybody with an account on the node could use it.
    make: (secret) => ({
      ...inShell(JUPYTER),
      environmentVariables: [{ name: 'JUPYTER_TOKEN', value: secret() }],
      exposedUrls: [{ container: JUPYTER_PORT, toolType: 'jupyter-notebook', toolName: 'JupyterLab' }],
    }),
  },
  {
    id: 'tensorboard',
    label: 'TensorBoard',
    about: 'Curves of the runs in a folder',
    type: 'Workspace',
    name: 'tensorboard',
    make: () => ({ ...inShell(TENSORBOARD), exposedUrls: [{ container: TENSORBOARD_PORT, toolType: 'tensorboard', toolName: 'TensorBoard' }] }),
  },
  {
    id: 'shell',
    label: 'Shell',
    about: 'A terminal, ssh and VS Code',
    type: 'Workspace',
    name: 'shell',
    make: () => ({ command: 'sleep infinity' }),
  },
];

export const findPreset = (id: string | null) => PRESETS.find((preset) => preset.id === id);

const SECRET_BYTES = 24;

/** Unguessable, in letters and digits. */
export function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface Variable {
  name?: string;
  value?: string;
}

/** A tool that asks for a token is opened with the one that its workload was given. */
export function withToken(url: string, toolType: string | undefined, spec: Spec | undefined): string {
  if (toolType !== 'jupyter-notebook') return url;
  const list = Array.isArray(spec?.environmentVariables) ? (spec.environmentVariables as Variable[]) : [];
  const token = list.find((v) => v.name === 'JUPYTER_TOKEN')?.value;
  return token ? `${url}lab?token=${encodeURIComponent(token)}` : url;
}
