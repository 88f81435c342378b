// Starts everything, runs the tests in the order of their files, says how each ended.
//
// WEB_ONLY (a regular expression) picks tests by name, for working on one of them.
import { buildDashboard, unitTests } from './build.mjs';
import { fillLab } from './lab.mjs';
import { ADMIN, endAll, freshScratch, openBrowser, PASSWORD, serveDashboard, Server, until } from './lib.mjs';
import { check, Person, TESTS, world } from './world.mjs';
import './pages.mjs';
import './notifications.mjs';
import './reservations.mjs';
import './runs.mjs';
import './reports.mjs';
import './studies.mjs';
import './work.mjs';
import './inside.mjs';
import './origins.mjs';
import './subpath.mjs';
// The work of their scene holds GPUs from here on.
import './findings.mjs';
import './walk.mjs';
import './details.mjs';
import './roles.mjs';
import './faults.mjs';

const wanted = process.env.WEB_ONLY ? new RegExp(process.env.WEB_ONLY) : null;

async function report(name, run) {
  try {
    await run();
    console.log(`ok ${name}`);
    return 0;
  } catch (error) {
    const reason = String(error?.message ?? error).replace(/\u001b\[[0-9;]*m/g, '').replace(/\s+/g, ' ').slice(0, 1500);
    console.log(`not ok ${name} ${reason}`);
    return 1;
  }
}

async function begin() {
  world.server = await new Server().start();
  world.server.token = await world.server.signIn();
  world.lab = await fillLab(world.server);
  world.base = await serveDashboard(world.server);
  world.work = await new Server('work', ['--native-tasks', process.geteuid() === 0 ? 'isolated' : 'self', '--declared-gpus', '4xA100:40Gi']).start();
  world.work.token = await world.work.signIn();
  world.project = await fillWork(world.work);
  world.browser = await openBrowser();
  world.admin = await Person.of(ADMIN, PASSWORD, '/my-work');
  await world.admin.page.waitForSelector('.sidebar');
}

/** One project on the machine itself. */
async function fillWork(server) {
  const [cluster] = await server.call('GET', '/api/v1/clusters');
  const resources = [{ nodePool: { id: '1', name: 'default' }, gpu: { deserved: 4 } }];
  const department = await server.call('POST', '/api/v1/org-unit/departments', { name: 'research', clusterId: cluster.uuid, resources });
  return server.call('POST', '/api/v1/org-unit/projects', { name: 'vision', clusterId: cluster.uuid, parentId: department.id, resources });
}

/** Work outlives its server, so it is ended before. */
async function endWork(server) {
  const routes = { Workspace: 'workspaces', Training: 'trainings' };
  const { workloads } = await server.call('GET', '/api/v1/workloads?limit=500');
  for (const w of workloads) await server.call('DELETE', `/api/v1/workloads/${routes[w.type]}/${w.id}`);
  await until(async () => (await server.call('GET', '/api/v1/workloads?limit=500')).workloads.length === 0, 'the end of all work');
}

async function main() {
  freshScratch();
  buildDashboard();
  let failed = 0;
  for (const { name, error } of wanted ? [] : unitTests()) {
    failed += await report(name, () => check(error === null, String(error)));
  }
  await begin();
  for (const [name, run] of TESTS) if (!wanted || wanted.test(name)) failed += await report(name, run);
  await world.browser.close();
  await endWork(world.work);
  return failed === 0 ? 0 : 1;
}

main().then(
  (code) => {
    endAll();
    process.exit(code);
  },
  (error) => {
    console.log(`not ok the_suite ${String(error).split('\n')[0]}`);
    endAll();
    process.exit(1);
  },
);
