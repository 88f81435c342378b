// A small lab to look at: nodes, projects, people, assets, workloads.
export const PAGES = [
  ['my-work', '/my-work'],
  ['workloads', '/workloads'],
  ['workloads-filtered', '/workloads?is.phase=Pending&where=name%3D%40t&sort=name'],
  ['new-workload', '/workloads/new'],
  ['runs', '/runs'],
  ['reports', '/reports'],
  ['new-report', '/reports/new'],
  ['studies', '/studies'],
  ['new-study', '/studies/new'],
  ['queue', '/queue'],
  ['overview', '/overview'],
  ['nodes', '/nodes'],
  ['timeline', '/timeline'],
  ['reservations', '/reservations'],
  ['node-pools', '/node-pools'],
  ['projects', '/projects'],
  ['departments', '/departments'],
  ['users', '/users'],
  ['applications', '/applications'],
  ['roles', '/roles'],
  ['access-rules', '/access-rules'],
  ['policies', '/policies'],
  ['notifications', '/notifications'],
  ['environments', '/environments'],
  ['compute', '/compute'],
  ['data-sources', '/data-sources'],
  ['credentials', '/credentials'],
  ['templates', '/templates'],
  ['analytics', '/analytics'],
  ['audit', '/audit'],
  ['account', '/account'],
];

export const STUDY_TABS = ['overview', 'parameters', 'progress', 'settings'];
export const WORKLOAD_TABS = ['overview', 'logs', 'history', 'attempts', 'metrics', 'terminal', 'files', 'connections', 'details'];

const QUOTA = (gpu) => [{ nodePool: { id: '1', name: 'default' }, gpu: { deserved: gpu } }];

async function organisation(server, cluster) {
  const lab = {};
  lab.research = await server.call('POST', '/api/v1/org-unit/departments', { name: 'research', clusterId: cluster, resources: QUOTA(12) });
  await server.call('POST', '/api/v1/org-unit/departments', { name: 'teaching', clusterId: cluster, description: 'Courses and theses', resources: QUOTA(4) });
  for (const [name, gpu] of [['vision', 6], ['robotics', 4], ['language-models', 2]]) {
    lab[name] = await server.call('POST', '/api/v1/org-unit/projects', { name, clusterId: cluster, parentId: lab.research.id, resources: QUOTA(gpu) });
  }
  lab.ann = await server.call('POST', '/api/v1/users', { email: 'ann@lab.example.org' });
  lab.ben = await server.call('POST', '/api/v1/users', { email: 'ben@lab.example.org' });
  const role = (await server.call('GET', '/api/v1/authorization/roles')).find((r) => r.name === 'L1 researcher');
  await server.call('POST', '/api/v1/authorization/access-rules', { subjectId: 'ann@lab.example.org', subjectType: 'user', roleId: role.id, scopeId: lab.vision.id, scopeType: 'project' });
  lab.reader = await server.call('POST', '/api/v1/authorization/roles', {
    name: 'quota-reader',
    description: 'Sees projects and departments, changes nothing',
    permissions: [{ resourceType: 'project', actions: ['read'] }, { resourceType: 'department', actions: ['read'] }],
  });
  await server.call('POST', '/api/v1/authorization/access-rules', { subjectId: 'ben@lab.example.org', subjectType: 'user', roleId: lab.reader.id, scopeId: '1', scopeType: 'tenant' });
  await server.call('POST', '/api/v1/apps', { name: 'nightly' });
  return lab;
}

async function assets(server, lab) {
  const meta = (name, description) => ({ name, description, scope: 'tenant' });
  const post = (path, body) => server.call('POST', `/api/v1/asset/${path}`, body);
  lab.environment = await post('environment', { meta: meta('pytorch', 'PyTorch 2.5 with CUDA 12.4'), spec: { image: 'docker.io/pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime', imagePullPolicy: 'IfNotPresent' } });
  await post('environment', { meta: meta('jupyter', 'JupyterLab'), spec: { image: 'quay.io/jupyter/scipy-notebook:latest', connections: [{ name: 'Jupyter', internalToolInfo: { toolType: 'jupyter-notebook', connectionType: 'ExternalUrl', containerPort: 8888 } }] } });
  lab.compute = await post('compute', { meta: meta('half-gpu'), spec: { gpuDevicesRequest: 1, gpuRequestType: 'portion', gpuPortionRequest: 0.5, cpuCoreRequest: 4, cpuMemoryRequest: '16G' } });
  await post('compute', { meta: meta('two-gpus'), spec: { gpuDevicesRequest: 2, gpuRequestType: 'portion', gpuPortionRequest: 1, cpuCoreRequest: 16, cpuMemoryRequest: '64G' } });
  await post('datasource/nfs', { meta: { ...meta('datasets', 'Read-only data sets'), scope: 'project', projectId: Number(lab.vision.id) }, spec: { server: 'nfs.lab.example.org', path: '/export/datasets', mountPath: '/data', readOnly: true } });
  await post('datasource/git', { meta: meta('models'), spec: { repository: 'https://git.lab.example.org/models.git', branch: 'main', path: '/src' } });
  await post('credentials/password', { meta: { ...meta('registry-login'), scope: 'project', projectId: Number(lab.vision.id) }, spec: { user: 'robot', password: 'change-me' } });
  await post('workload-template', { meta: meta('notebook'), spec: { assets: { environment: lab.environment.meta.id, compute: lab.compute.meta.id } } });
}

const NAMES = ['resnet-baseline', 'vit-large', 'segment-anything', 'pose-notebook', 'grasp-policy', 'tokenizer-sweep', 'llama-finetune', 'eval-suite', 'depth-notebook', 'simulator'];

async function workloads(server, lab, cluster) {
  const projects = [lab.vision, lab.robotics, lab['language-models']];
  lab.workloads = [];
  for (const [i, name] of NAMES.entries()) {
    const kind = ['trainings', 'workspaces', 'distributed', 'trainings'][i % 4];
    const spec = { image: 'docker.io/library/python:3.12', command: 'python', args: '-c "print(1)"', compute: { gpuDevicesRequest: 1 + (i % 3), gpuRequestType: 'portion', gpuPortionRequest: i % 4 === 0 ? 0.5 : 1, cpuCoreRequest: 4, cpuMemoryRequest: '16G' } };
    if (spec.compute.gpuDevicesRequest > 1) spec.compute.gpuPortionRequest = 1;
    if (kind === 'distributed') Object.assign(spec, { numWorkers: 2, distributedFramework: 'PyTorch' });
    lab.workloads.push(await server.call('POST', `/api/v1/workloads/${kind}`, { name, projectId: projects[i % 3].id, clusterId: cluster, spec }));
  }
}

const HOUR = 3_600_000;
const at = (hours) => new Date(Date.now() + hours * HOUR).toISOString();

/** To come only, so that they keep nothing from the work of now. */
async function reservations(server, lab) {
  const kept = [
    ['vision', 'icml-deadline', 4, 72, 168],
    ['vision', 'camera-ready', 2, 300, 40],
    ['robotics', 'field-test', 4, 120, 30],
    ['language-models', 'final-run', 2, 150, 400],
  ];
  lab.kept = [];
  for (const [project, name, gpu, from, hours] of kept) {
    lab.kept.push(await server.call('POST', '/api/v1/reservations', { name, projectId: lab[project].id, gpu, start: at(from), end: at(from + hours), nodePool: 'a100', releaseAfterMinutes: gpu > 2 ? 60 : null }));
  }
}

const PARAMETERS = [
  { name: 'lr', low: 1e-5, high: 1e-1, log: true },
  { name: 'layers', type: 'int', low: 1, high: 8 },
  { name: 'optimizer', choices: ['adam', 'sgd', 'rmsprop'] },
  { name: 'momentum', low: 0, high: 0.99, when: { parameter: 'optimizer', values: ['sgd'] } },
];

/** Parameters and results that only depend on the number. */
function tried(i) {
  const [lr, layers, optimizer] = [10 ** (-4.9 + ((i * 7) % 39) / 10), 1 + ((i * 3) % 8), ['adam', 'sgd', 'rmsprop'][i % 3]];
  const loss = 0.1 + Math.abs(Math.log10(lr) + 3) * 0.3 + Math.abs(layers - 4) * 0.05;
  return { parameters: { lr, layers, optimizer, ...(optimizer === 'sgd' ? { momentum: (i % 10) / 10 } : {}) }, loss, size: layers * 3 + (i % 5) };
}

/** A study that no server runs, with trials that somebody has told, one with values on its way. */
export async function fillStudy(server, projectId, name, metrics = ['loss'], count = 30, token = server.token) {
  const spec = { objectives: metrics.map((metric) => ({ metric })), parameters: PARAMETERS, seed: 3, maxTrials: 100, ...(metrics.length === 1 ? { pruner: { type: 'asha', minSteps: 1, maxSteps: 9, reduction: 3 } } : {}) };
  const study = await server.call('POST', '/api/v1/studies', { name, projectId, spec }, token);
  const trials = `/api/v1/studies/${study.id}/trials`;
  for (let i = 0; i < count; i++) {
    const { parameters, loss, size } = tried(i);
    await server.call('POST', trials, { parameters, values: metrics.map((metric) => (metric === 'loss' ? loss : size)) }, token);
  }
  for (const [ended, last] of [['Complete', 9], ['Pruned', 3]]) {
    const made = await server.call('POST', trials, { parameters: tried(count + last).parameters }, token);
    if (metrics.length === 1) for (let step = 1; step <= last; step++) await server.call('POST', `${trials}/${made.number}/reports`, { step, value: 0.5 + 1 / step }, token);
    await server.call('POST', `${trials}/${made.number}/tell`, { state: ended, values: ended === 'Complete' ? metrics.map(() => 0.6) : [] }, token);
  }
  return study;
}

/** Fills a fresh server; it must be signed in. */
export async function fillLab(server) {
  const [cluster] = await server.call('GET', '/api/v1/clusters');
  for (let i = 1; i <= 4; i++) {
    await server.call('POST', '/api/v1/nodes', { name: `node-${i}`, gpuType: i < 3 ? 'NVIDIA A100' : 'NVIDIA RTX 4090', gpuCount: i < 3 ? 8 : 4, gpuMemory: i < 3 ? '80Gi' : '24Gi', cpuCores: 64, memory: '512Gi', labels: { gpu: i < 3 ? 'a100' : 'rtx' }, status: i === 4 ? 'NotReady' : 'Ready' });
  }
  await server.call('POST', '/api/v1/node-pools', { name: 'a100', clusterId: cluster.uuid, labelKey: 'gpu', labelValue: 'a100', placementStrategy: { cpu: 'spread', gpu: 'binpack' } });
  const lab = await organisation(server, cluster.uuid);
  lab.cluster = cluster.uuid;
  await assets(server, lab);
  await server.call('PUT', '/api/v2/policy/workspaces', { meta: { name: 'workspace limits', scope: 'tenant' }, policy: { defaults: { imagePullPolicy: 'IfNotPresent' }, rules: { compute: { gpuDevicesRequest: { max: 4 } } } } });
  await workloads(server, lab, cluster.uuid);
  await reservations(server, lab);
  lab.study = await fillStudy(server, lab.vision.id, 'ppo');
  lab.front = await fillStudy(server, lab.vision.id, 'accuracy-or-size', ['loss', 'size']);
  return lab;
}

const RAISES = `sh -c 'echo "epoch 1"; for n in 1 2 3; do printf "\\033[32mstep %s\\033[0m loss 0.%s\\n" $n $n; done; echo "Traceback (most recent call last):" >&2; echo "  File train.py, line 7, in <module>" >&2; echo "FileNotFoundError: /data/labels/train.json" >&2; exit 1'`;
const LEAVES = `sh -c 'mkdir -p $GPUYARD_OUTPUT/model; echo "loss 0.25" > $GPUYARD_OUTPUT/model/summary.txt; echo done > $GPUYARD_OUTPUT/notes.md; for n in $(seq 1 40); do echo "epoch $n of 40, loss 0.$n"; done'`;
const REAL = [
  ['vision', 'detector', 'sleep 900', 2, 7200],
  ['vision', 'half-a-gpu', 'sleep 900', 0.5, 0],
  ['robotics', 'grasp-night', 'sleep 900', 4, 3600],
  ['robotics', 'quick-check', 'echo all well', 1, 0],
  ['language-models', 'bad-path', 'ls /no/such/data', 1, 0],
  ['language-models', 'pretrain', 'sleep 900', 8, 0],
  ['vision', 'ablation', 'sleep 900', 4, 3600],
  ['vision', 'raises', RAISES, 0, 0],
  ['vision', 'leaves-results', LEAVES, 0, 0],
];

/** Work that really runs on this machine, for pages that show it; gives what each became. */
export async function runWork(server, lab) {
  const made = {};
  for (const [project, name, command, gpu, limit] of REAL) {
    const compute = gpu > 0 ? { gpuDevicesRequest: Math.ceil(gpu), gpuRequestType: 'portion', gpuPortionRequest: gpu < 1 ? gpu : 1 } : {};
    const spec = { command, compute, ...(limit ? { timeLimitSeconds: limit } : {}) };
    made[name] = await server.call('POST', '/api/v1/workloads/trainings', { name, projectId: lab[project].id, clusterId: lab.cluster, spec });
  }
  return made;
}
