// Two projects on the machine that runs real work, and five people with different views of them.
import { Person, siteOf, world } from './world.mjs';
import { fillStudy } from './lab.mjs';
import { ADMIN, PASSWORD, until } from './lib.mjs';

const gpus = (count) => ({ gpuDevicesRequest: count, gpuRequestType: 'portion', gpuPortionRequest: 1 });
export const api = (method, path, body, token) => world.work.call(method, path, body, token);
export const count = async (filter) => (await api('GET', `/api/v1/workloads/count?filterBy=${encodeURIComponent(filter)}`)).count;

export async function submit(name, project, spec, token) {
  return api('POST', '/api/v1/workloads/trainings', { name, projectId: project.id, clusterId: project.clusterId, spec }, token);
}

async function account(email, role, scope) {
  const made = await api('POST', '/api/v1/users', { email });
  if (role) {
    const found = (await api('GET', '/api/v1/authorization/roles')).find((r) => r.name === role);
    await api('POST', '/api/v1/authorization/access-rules', { subjectId: email, subjectType: 'user', roleId: found.id, ...scope });
  }
  const password = `${email}-keeps-a-long-one`;
  const first = await world.work.signIn(email, made.tempPassword);
  await api('POST', '/api/v1/me/password', { currentPassword: made.tempPassword, newPassword: password }, first);
  return { email, password, token: await world.work.signIn(email, password) };
}

export async function enter({ email, password }) {
  const person = await Person.of(email, password, '/my-work', await siteOf(world.work));
  await person.page.waitForSelector('.sidebar');
  return person;
}

/** Two projects of which one has work on two of four GPUs; people with five views of that. */
export async function scene() {
  if (world.scene) return world.scene;
  const resources = [{ nodePool: { id: '1', name: 'default' }, gpu: { deserved: 2 } }];
  const hidden = await api('POST', '/api/v1/org-unit/projects', { name: 'hidden', clusterId: world.project.clusterId, resources });
  const far = { scopeType: 'project', scopeId: world.project.id };
  const people = {
    administrator: { email: ADMIN, password: PASSWORD, token: world.work.token },
    departmentAdministrator: await account('dora@lab.example', 'Department administrator', { scopeType: 'department', scopeId: world.project.parentId }),
    researcher: await account('rita@lab.example', 'L1 researcher', far),
    viewer: await account('vera@lab.example', 'Viewer', far),
    newcomer: await account('nora@lab.example'),
  };
  const secret = await submit('secret-run', hidden, { command: 'sleep 900', compute: gpus(2) });
  const own = await submit('own-run', world.project, { command: 'sleep 900', compute: gpus(1) }, people.researcher.token);
  for (const one of [secret, own]) await until(async () => (await api('GET', `/api/v1/workloads/${one.workloadId}`)).phase === 'Running', 'the work', 60);
  const study = await fillStudy(world.work, world.project.id, 'scene-study', ['loss'], 12, people.researcher.token);
  return (world.scene = { hidden, people, secret, own, study });
}

export const ROLES = ['administrator', 'departmentAdministrator', 'researcher', 'viewer', 'newcomer'];
export const snake = (role) => role.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
