// What must stay calm: lost servers, ended sessions, refusals, odd names, very long logs.
import { ADMIN, PASSWORD } from './lib.mjs';
import { personWith, roleNamed, TENANT } from './people.mjs';
import { check, Person, siteOf, slow, test, world } from './world.mjs';

const MARKUP = '<img src=x onerror="window.injected=1"><b>bold</b>';
const training = (name, spec = { command: 'true' }) =>
  world.server.call('POST', '/api/v1/workloads/trainings', { name, projectId: world.lab.vision.id, clusterId: world.lab.cluster, spec });

async function typeTraining({ page }, name, project = 'vision') {
  await page.fill('input[name=name]', name);
  await page.selectOption('select[name=project]', project);
  await page.getByLabel('Command', { exact: true }).fill('sleep 1');
  await page.getByLabel('Arguments', { exact: true }).fill('--typed by-hand');
}

async function stillTyped({ page }, name) {
  check((await page.inputValue('input[name=name]')) === name, 'the name was lost');
  check((await page.getByLabel('Command', { exact: true }).inputValue()) === 'sleep 1', 'the command was lost');
  check((await page.getByLabel('Arguments', { exact: true }).inputValue()) === '--typed by-hand', 'the arguments were lost');
}

const send = ({ page }) => page.getByRole('button', { name: 'Submit training' }).click();
/** Waits until the page says so; the forecast beside it may say something else of its own. */
const refused = async ({ page }, words) => {
  const alerts = page.locator('.maker-side [role=alert]');
  await alerts.filter({ hasText: words }).first().waitFor().catch(async () => check(false, `it says: ${(await alerts.allInnerTexts()).join(' | ')}`));
};

test('a_custom_role_on_one_project_shows_that_project_only', async () => {
  const role = await world.server.call('POST', '/api/v1/authorization/roles', {
    name: 'onlooker',
    description: 'Sees work, changes nothing',
    permissions: [{ resourceType: 'workloads', actions: ['read'] }, { resourceType: 'trainings', actions: ['read'] }, { resourceType: 'project', actions: ['read'] }],
  });
  const cleo = await personWith('cleo@lab.example.org', role.id, { scopeId: world.lab.vision.id, scopeType: 'project' }, '/workloads');
  await cleo.sees('resnet-baseline');
  check((await cleo.page.getByText('vit-large').count()) === 0, 'work of another project is listed');
  const seen = world.lab.workloads.find((w) => w.name === 'resnet-baseline');
  await cleo.open(`/workloads/${seen.workloadId}`);
  for (const name of ['Stop', 'Clone and edit', 'Resume', 'Apply and start']) {
    check((await cleo.page.getByRole('button', { name, exact: true }).count()) === 0, `there is a button ${name}`);
  }
  const hidden = world.lab.workloads.find((w) => w.name === 'vit-large');
  await cleo.open(`/workloads/${hidden.workloadId}`);
  await cleo.page.getByText(/You may not see this workload|Could not load this workload/).waitFor();
  await cleo.leave();
});

test('a_server_that_restarts_in_mid_form_loses_nothing', async () => {
  const { admin, server } = world;
  await admin.open('/workloads/new');
  await typeTraining(admin, 'through-a-restart');
  await server.stop();
  await send(admin);
  await refused(admin, /cannot be reached/);
  await stillTyped(admin, 'through-a-restart');
  await server.start(server.port);
  await admin.page.getByText('The connection to the server is lost').waitFor({ state: 'detached', timeout: 40_000 });
  await stillTyped(admin, 'through-a-restart');
  await send(admin);
  await admin.page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
});

test('a_lost_connection_is_said_and_mends_by_itself', async () => {
  const { admin, server } = world;
  await admin.open('/workloads');
  await admin.page.waitForSelector('table');
  await server.stop();
  await admin.sees('The connection to the server is lost');
  await admin.page.waitForSelector('table');
  await server.start(server.port);
  await admin.page.getByText('The connection to the server is lost').waitFor({ state: 'detached', timeout: 40_000 });
  await training('after-restart');
  await admin.sees('after-restart');
});

test('an_expired_session_is_renewed_and_nobody_notices', async () => {
  const { page } = world.admin;
  await world.admin.open('/my-work');
  let refused = 0;
  await page.route('**/api/v1/workloads?*', (route) => (refused++ ? route.continue() : route.fulfill({ status: 401, json: { code: 401, message: 'over' } })));
  const renewed = page.waitForResponse((r) => r.url().endsWith('/api/v1/token') && r.ok());
  await world.admin.open('/workloads');
  await renewed;
  await page.waitForSelector('table');
  await page.unroute('**/api/v1/workloads?*');
  check((await page.locator('input[type=password]').count()) === 0, 'it asks for the password');
});

test('an_ended_session_asks_again_and_keeps_what_was_typed', async () => {
  const eve = await personWith('eve@lab.example.org', await roleNamed('System administrator'), TENANT, '/workloads/new');
  await typeTraining(eve, 'typed-before');
  await world.server.call('POST', `/api/v1/users/${eve.id}/logout`);
  // The question may be there before the button is reached.
  await eve.page.evaluate(() => document.querySelector('form.maker').requestSubmit());
  await eve.page.getByText('Sign in again').waitFor();
  await eve.page.locator('dialog input[type=password]').fill(eve.password);
  await eve.page.locator('dialog button[type=submit]').click();
  await eve.page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
  await eve.sees('typed-before');
  await eve.leave();
});

test('a_right_that_is_taken_away_in_mid_form_is_said_and_nothing_is_lost', async () => {
  const finn = await personWith('finn@lab.example.org', await roleNamed('L1 researcher'), { scopeId: world.lab.vision.id, scopeType: 'project' }, '/workloads/new');
  await typeTraining(finn, 'no-longer-mine');
  // The page learns of it at once; whoever is quicker meets the refusal.
  await finn.page.route('**/api/v1/org-unit/projects*', (route) => route.abort());
  await world.server.call('DELETE', `/api/v1/authorization/access-rules/${finn.rule.id}`);
  await send(finn);
  await refused(finn, /not permitted|may not|lacks|forbidden|no permission/i);
  await stillTyped(finn, 'no-longer-mine');
  await finn.leave();
});

test('a_project_that_is_deleted_in_mid_form_is_said_and_nothing_is_lost', async () => {
  const { admin, server } = world;
  const gone = await server.call('POST', '/api/v1/org-unit/projects', { name: 'short-lived', clusterId: world.lab.cluster, parentId: world.lab.research.id, resources: [] });
  await admin.open('/workloads/new');
  await typeTraining(admin, 'without-a-home', 'short-lived');
  // The page learns of it at once; whoever is quicker meets the refusal.
  await admin.page.route('**/api/v1/org-unit/projects*', (route) => route.abort());
  await server.call('DELETE', `/api/v1/org-unit/projects/${gone.id}`);
  await send(admin);
  await refused(admin, /project/);
  await stillTyped(admin, 'without-a-home');
  await admin.page.unroute('**/api/v1/org-unit/projects*');
});

test('a_name_that_is_taken_in_mid_form_is_said_and_nothing_is_lost', async () => {
  const { admin } = world;
  await admin.open('/workloads/new');
  await typeTraining(admin, 'taken-meanwhile');
  await training('taken-meanwhile');
  await send(admin);
  await refused(admin, /taken-meanwhile/);
  await stillTyped(admin, 'taken-meanwhile');
  await admin.page.fill('input[name=name]', 'taken-no-more');
  await send(admin);
  await admin.page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
});

test('markup_in_a_name_is_shown_and_not_run', async () => {
  const { admin, server } = world;
  await server.call('POST', '/api/v1/asset/compute', { meta: { name: 'odd', description: MARKUP, scope: 'tenant' }, spec: { cpuCoreRequest: 1, cpuMemoryRequest: '1G' } });
  await server.call('POST', '/api/v1/authorization/roles', { name: 'odd-role', description: MARKUP, permissions: [{ resourceType: 'project', actions: ['read'] }] });
  await training('odd-command', { image: 'registry.lab/odd:1', command: MARKUP, environmentVariables: [{ name: 'ODD', value: MARKUP }], exposedUrls: [{ container: 8888, toolName: MARKUP, url: 'javascript:window.injected=1' }] });
  const odd = (await server.call('GET', '/api/v1/workloads?search=odd-command')).workloads[0];
  const tabs = ['details', 'connections', 'history'].map((tab) => `/workloads/${odd.id}?tab=${tab}`);
  for (const path of ['/compute', '/roles', '/workloads', ...tabs, '/audit', `/workloads?q=${encodeURIComponent(MARKUP)}`, `/workloads/new?from=${odd.id}`]) {
    await admin.open(path);
    await admin.page.waitForTimeout(300);
    check((await admin.page.evaluate(() => window.injected)) === undefined, `it ran on ${path}`);
    check((await admin.page.locator('main b, main img, main a[href^="javascript:"]').count()) === 0, `it became elements on ${path}`);
  }
  await admin.open('/compute');
  await admin.sees('<b>bold</b>');
});

// Numbered lines to a gigabyte, some markup at its end, then a line a second.
const GIGABYTE = `-c "i=0; pad=$(printf %0960d 0); line=$(for n in $(seq 64); do echo step $pad; done); while [ $i -lt 17000 ]; do echo \\"$line\\"; i=$((i+1)); done; echo needle-in-the-log '${MARKUP.replaceAll('"', '')}'; while true; do echo tick $((n=n+1)); sleep 1; done"`;

test('a_log_of_a_gigabyte_is_followed_and_searched_at_once', async () => {
  const { work, project } = world;
  const made = await work.call('POST', '/api/v1/workloads/trainings', { name: 'wordy', projectId: project.id, clusterId: project.clusterId, spec: { command: 'sh', args: GIGABYTE } });
  const ann = await Person.of(ADMIN, PASSWORD, '/my-work', await siteOf(work));
  const { page } = ann;
  await page.waitForSelector('.sidebar');
  await written(made.workloadId, 1e9);
  await ann.open(`/workloads/${made.workloadId}`);
  const opened = Date.now();
  await page.getByRole('tab', { name: 'Logs' }).click();
  await page.locator('.log-line').getByText(/^\d*tick \d+/).first().waitFor({ timeout: 30_000 });
  const shown = Date.now() - opened;
  await page.locator('[role=status]', { hasText: /after the first 9\d\d MiB|after the first 1.* GiB/ }).first().waitFor();
  const searched = await timed(async () => {
    await page.getByLabel('Search the log').fill('needle-in');
    await page.locator('[role=status]', { hasText: '1 found' }).waitFor();
  });
  await page.locator('.log-line', { hasText: '<b>bold</b>' }).waitFor();
  check((await page.evaluate(() => window.injected)) === undefined, 'the log ran');
  const whole = await timed(async () => {
    await page.getByRole('button', { name: 'Search the whole log' }).click();
    await page.locator('[role=status]', { hasText: /1 line found.*that is all of it.*were not kept/ }).waitFor({ timeout: 60_000 });
  });
  await page.getByLabel('Search the log').fill('');
  const now = Number((await page.locator('.log-line', { hasText: 'tick' }).last().innerText()).match(/tick (\d+)/)[1]);
  await page.locator('.log-line').getByText(`tick ${now + 2}`).waitFor({ timeout: 10_000 * slow() });
  const heap = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
  console.error(`a log of 1 GB: shown after ${shown} ms, searched in ${searched} ms, all that is kept in ${whole} ms, heap ${Math.round(heap / 2 ** 20)} MiB`);
  check(shown < 3000 * slow(), `it took ${shown} ms to show the end`);
  check(searched < 500 * slow(), `it took ${searched} ms to search`);
  check(heap < 200 * 2 ** 20, `the page holds ${heap} bytes`);
  await work.call('DELETE', `/api/v1/workloads/trainings/${made.workloadId}`);
  await ann.leave();
});

async function timed(run) {
  const begun = Date.now();
  await run();
  return Date.now() - begun;
}

/** Waits until a log has so many bytes. */
async function written(workload, bytes) {
  const headers = { Authorization: `Bearer ${world.work.token}` };
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`${world.work.url}/api/v1/workloads/${workload}/logs?tail=1`, { headers });
    if (answer.ok && Number(answer.headers.get('Gpuyard-Log-Next')) >= bytes) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the log did not grow to its size');
}
