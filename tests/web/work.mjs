// Real work, from the form to its end, on a server that runs processes on this machine.
import { readFileSync } from 'node:fs';
import { ADMIN, PASSWORD, until } from './lib.mjs';
import { jupyter } from './jupyter.mjs';
import { check, Person, siteOf, slow, test, world } from './world.mjs';

const gpus = (count) => ({ gpuDevicesRequest: count, gpuRequestType: 'portion', gpuPortionRequest: 1 });
const submit = (name, spec) =>
  world.work.call('POST', '/api/v1/workloads/trainings', { name, projectId: world.project.id, clusterId: world.project.clusterId, spec });

/** One browser for these tests, signed in. */
async function worker() {
  if (world.worker) return world.worker;
  world.worker = await Person.of(ADMIN, PASSWORD, '/my-work', await siteOf(world.work));
  await world.worker.page.waitForSelector('.sidebar');
  return world.worker;
}

const phase = (person, name) => person.page.locator('main header').getByText(name, { exact: true }).waitFor({ timeout: 90_000 });

test('an_environment_a_workspace_and_a_notebook_cell_that_runs_through_the_proxy', async () => {
  const program = jupyter();
  const person = await worker();
  const { page } = person;
  await person.open('/environments');
  await page.getByRole('button', { name: 'New environment' }).first().click();
  await page.fill('input[name="meta.name"]', 'jupyter');
  await page.fill('input[name="spec.command"]', 'sh');
  const options = `--no-browser --ip=127.0.0.1 --port=$GPUYARD_PORT --ServerApp.port_retries=0 --allow-root --IdentityProvider.token= --LabApp.news_url=None`;
  await page.fill('input[name="spec.args"]', `-c "exec ${program} lab ${options} --ServerApp.base_url=$GPUYARD_BASE_URL"`);
  await page.selectOption('select[name="tool.toolType"]', 'jupyter-notebook');
  await page.fill('input[name="tool.containerPort"]', '8888');
  await page.locator('dialog button[type=submit]').click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await person.open('/workloads/new?type=Workspace');
  await page.fill('input[name=name]', 'notes');
  await page.selectOption('select[name=project]', 'vision');
  await page.getByRole('group', { name: 'Environments' }).getByRole('button', { name: /jupyter/ }).click();
  await person.sees('Starts immediately');
  await page.getByRole('button', { name: 'Submit workspace' }).click();
  await page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
  await phase(person, 'Running');
  const opened = person.context.waitForEvent('page');
  await page.getByRole('link', { name: /^Open/ }).first().click();
  await runCell(await opened, 'notes', '6*7', '42');
});

/** A cell of a new notebook in the tool of a workload. */
async function runCell(tool, workload, code, answer) {
  await notebook(tool);
  await tool.locator('.jp-Notebook .cm-content').first().click();
  await tool.keyboard.type(code);
  await tool.keyboard.press('Shift+Enter');
  await tool.locator('.jp-OutputArea-output').getByText(answer, { exact: true }).waitFor({ timeout: 60_000 });
  check(new URL(tool.url()).pathname.startsWith(`/vision/${workload}/`), `the tool is at ${tool.url()}`);
  await tool.close();
}

/** A member of the project with a role that may start notebooks. */
async function colleague(email) {
  const { work, project } = world;
  const made = await work.call('POST', '/api/v1/users', { email });
  const role = (await work.call('GET', '/api/v1/authorization/roles')).find((r) => r.name === 'L1 researcher');
  await work.call('POST', '/api/v1/authorization/access-rules', { subjectId: email, subjectType: 'user', roleId: role.id, scopeId: String(project.id), scopeType: 'project' });
  const password = `${email}-keeps-a-long-one`;
  const first = await work.signIn(email, made.tempPassword);
  await work.call('POST', '/api/v1/me/password', { currentPassword: made.tempPassword, newPassword: password }, first);
  const person = await Person.of(email, password, '/workloads', await siteOf(work));
  await person.page.waitForSelector('.sidebar');
  return Object.assign(person, { token: await work.signIn(email, password) });
}

test('a_second_notebook_from_the_same_environment_opens_its_own_server_from_the_list', async () => {
  const people = [await colleague('nina@lab.example'), await colleague('omar@lab.example')];
  const [environment] = (await world.work.call('GET', '/api/v1/asset/environment')).entries;
  const { connections, ...container } = environment.spec;
  const spec = { ...container, exposedUrls: [{ container: connections[0].internalToolInfo.containerPort, toolType: 'jupyter-notebook', toolName: 'Jupyter' }] };
  const names = ['nina-notes', 'omar-notes'];
  const notes = [];
  for (const [i, name] of names.entries()) {
    const made = await world.work.call('POST', '/api/v1/workloads/workspaces', { name, projectId: world.project.id, clusterId: world.project.clusterId, spec }, people[i].token);
    notes.push(made.workloadId);
    await until(async () => (await world.work.call('GET', `/api/v1/workloads/${made.workloadId}`)).phase === 'Running', name, 60);
  }
  // Both run; each person opens their own with one click from the list.
  for (const [i, name] of names.entries()) {
    await people[i].open('/workloads');
    const opened = people[i].context.waitForEvent('page');
    await people[i].page.getByRole('link', { name: `Open Jupyter of ${name}` }).click();
    await runCell(await opened, name, `'${name}'.upper() + str(6*${7 + i})`, `'${name.toUpperCase()}${6 * (7 + i)}'`);
  }
  for (const one of people) await one.leave();
  for (const id of notes) await world.work.call('DELETE', `/api/v1/workloads/workspaces/${id}`);
});

/** Opens a new notebook as soon as the tool answers. */
async function notebook(tool) {
  const launcher = tool.locator('.jp-LauncherCard[data-category="Notebook"]').first();
  for (let tries = 0; tries < 30; tries++) {
    if (await launcher.waitFor({ timeout: 4000 }).then(() => true, () => false)) break;
    await tool.reload().catch(() => undefined);
  }
  await launcher.click();
  await tool.locator('.jp-Notebook .cm-content').first().waitFor({ timeout: 30_000 });
  // What is run before the kernel answers, the notebook forgets.
  await tool.getByText('(ipykernel) | Idle').waitFor({ timeout: 60_000 });
}

test('a_batch_workload_runs_to_completed_and_its_log_is_seen', async () => {
  const person = await worker();
  const { page } = person;
  await person.open('/workloads/new');
  await page.fill('input[name=name]', 'three-epochs');
  await page.selectOption('select[name=project]', 'vision');
  await page.getByLabel('Command', { exact: true }).fill('sh');
  await page.getByLabel('Arguments', { exact: true }).fill('-c "for n in 1 2 3; do echo epoch $n; sleep 0.3; done; echo all done"');
  await page.getByRole('button', { name: 'Submit training' }).click();
  await page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
  await phase(person, 'Completed');
  await page.getByRole('tab', { name: 'Logs' }).click();
  for (const line of ['epoch 1', 'epoch 3', 'all done']) await page.locator('.log-line').getByText(line).waitFor();
  await page.locator('[role=status]', { hasText: 'Complete' }).waitFor();
  await page.getByRole('tab', { name: 'Attempts' }).click();
  await page.getByRole('cell', { name: 'Succeeded', exact: true }).first().waitFor();
});

test('a_waiting_workload_is_explained_and_started_by_following_a_counterfactual', async () => {
  const person = await worker();
  const { page } = person;
  const hog = await submit('hog', { command: 'sleep 600', compute: gpus(3) });
  const wide = await submit('wide-4', { command: 'sleep 600', compute: gpus(2) });
  await person.open(`/workloads/${wide.workloadId}`);
  await phase(person, 'Pending');
  await person.sees(/1 GPU free, 2 GPUs requested/);
  await page.getByText('What each node lacks').click();
  await page.getByRole('cell', { name: 'has 1 GPU free, needs 2 GPUs' }).waitFor();
  const offer = page.locator('.option', { hasText: 'with 1 GPU per task' });
  await offer.getByText('starts now').waitFor();
  await offer.getByRole('button', { name: 'Apply and start' }).click();
  await page.locator('dialog button[type=submit]').click();
  await page.waitForURL((url) => !url.pathname.endsWith(wide.workloadId));
  await phase(person, 'Running');
  const left = await world.work.call('GET', '/api/v1/workloads?search=wide-4');
  check(left.workloads.every((w) => w.id !== wide.workloadId), 'the one that waited is still there');
  const made = left.workloads.find((w) => w.name === 'wide-4');
  check(made, 'the copy has another name');
  check(made.workloadRequestedResources.gpu.request === 1, 'the change was not made');
  await world.work.call('DELETE', `/api/v1/workloads/trainings/${made.id}`);
  await world.work.call('DELETE', `/api/v1/workloads/trainings/${hog.workloadId}`);
});

// No driver here can do it, so the server refuses; only what it says of itself is changed.
test('work_can_be_stopped_with_its_gpu_memory_kept_where_the_engine_can', async () => {
  const person = await worker();
  const { page } = person;
  const keeps = await submit('keeps', { command: 'sleep 600', compute: gpus(1) });
  await page.route('**/api/v1/engine', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), parking: true } });
  });
  await person.open(`/workloads/${keeps.workloadId}`);
  await phase(person, 'Running');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.locator('dialog').getByText('It can be resumed, which starts a new attempt.').waitFor();
  await page.getByLabel('Keep its GPU memory').check();
  await page.locator('dialog').getByText('Its processes stay and wait.').waitFor();
  await page.locator('dialog button[type=submit]').click();
  await page.locator('dialog').getByText(/cannot be taken off its GPUs here/).waitFor();
  await phase(person, 'Running');
  await page.unroute('**/api/v1/engine');
  await world.work.call('DELETE', `/api/v1/workloads/trainings/${keeps.workloadId}`);
});

test('a_node_is_drained_with_a_reason_and_resumed', async () => {
  const person = await worker();
  const { page } = person;
  await person.open('/nodes');
  const card = page.locator('.node-card').first();
  await card.getByRole('button', { name: 'Drain' }).click();
  await page.fill('dialog input[name=reason]', 'fan 2 is loud');
  await page.locator('dialog button[type=submit]').click();
  await card.getByText('Drained').waitFor();
  await card.getByText('fan 2 is loud').waitFor();
  const waits = await submit('after-service', { command: 'true' });
  await person.open(`/workloads/${waits.workloadId}`);
  await phase(person, 'Pending');
  await person.open('/nodes');
  await card.getByText('fan 2 is loud').waitFor();
  await card.getByRole('button', { name: 'Resume' }).click();
  await page.locator('dialog button[type=submit]').click();
  await card.getByText('Drained').waitFor({ state: 'detached' });
  await person.open(`/workloads/${waits.workloadId}`);
  await phase(person, 'Completed');
});

test('a_drain_stops_what_runs_and_ends_by_itself', async () => {
  const person = await worker();
  const { page } = person;
  const runs = await submit('must-move', { command: 'sleep 900' });
  await until(async () => (await world.work.call('GET', `/api/v1/workloads/${runs.workloadId}`)).phase === 'Running', 'the work');
  const [node] = (await world.work.call('GET', '/api/v1/nodes')).nodes;
  try {
    await person.open(`/nodes/${encodeURIComponent(node.name)}`);
    await page.getByRole('button', { name: 'Drain' }).click();
    await page.fill('dialog input[name=reason]', 'new disk');
    await page.locator('dialog select[name=stop]').selectOption({ label: 'is stopped now' });
    await page.fill('dialog input[name=until]', await page.evaluate(() => new Date(Date.now() + 30 * 3_600_000 - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 16)));
    await page.locator('dialog button[type=submit]').click();
    await page.getByText(/takes work again in 1 d/).waitFor();
    await person.open(`/workloads/${runs.workloadId}`);
    await phase(person, 'Pending');
    await page.getByText('What each node lacks').click();
    await page.getByRole('cell', { name: /is drained by .*: new disk; until / }).waitFor();
    // In its place an order that ends soon: nobody resumes the node.
    await world.work.call('POST', `/api/v1/nodes/${node.id}/drain`, { reason: 'new disk', until: new Date(Date.now() + 3000).toISOString() });
    await phase(person, 'Running');
    check(!(await world.work.call('GET', '/api/v1/nodes')).nodes[0].drain, 'the node is still drained');
  } finally {
    await world.work.call('POST', `/api/v1/nodes/${node.id}/resume`);
  }
  await world.work.call('DELETE', `/api/v1/workloads/trainings/${runs.workloadId}`);
});

test('labels_of_a_node_are_changed_on_its_page', async () => {
  const person = await worker();
  const { page } = person;
  const [node] = (await world.work.call('GET', '/api/v1/nodes')).nodes;
  await person.open(`/nodes/${encodeURIComponent(node.name)}`);
  await page.getByRole('button', { name: 'Edit labels' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Add' }).click();
  const fields = page.locator('dialog fieldset');
  await fields.getByPlaceholder('name').last().fill('rack');
  await fields.getByPlaceholder('value').last().fill('seven');
  await page.locator('dialog button[type=submit]').click();
  await page.locator('main').getByText('rack=seven').waitFor();
  check((await world.work.call('GET', '/api/v1/nodes')).nodes[0].labels.rack === 'seven', 'the server has no such label');
  await page.getByRole('button', { name: 'Edit labels' }).click();
  await page.locator('dialog fieldset .row').filter({ has: page.locator('input[value=rack]') }).getByRole('button', { name: 'Remove' }).click();
  await page.locator('dialog button[type=submit]').click();
  await page.locator('main').getByText('rack=seven').waitFor({ state: 'detached' });
});

test('a_workload_says_its_time_left_and_its_mounts', async () => {
  const person = await worker();
  const { page } = person;
  const made = await submit('has-limits', { command: 'sleep 900', timeLimitSeconds: 3600 });
  await person.open(`/workloads/${made.workloadId}`);
  await phase(person, 'Running');
  await page.locator('main').getByText(/· 59 min \d\d s left/).waitFor();
  await page.locator('main').getByText('sleep 900').first().waitFor();
  await world.work.call('DELETE', `/api/v1/workloads/trainings/${made.workloadId}`);
  const held = await submit('has-mounts', { image: 'docker.io/library/python:3.12', hold: true, storage: { nfs: [{ server: 'nfs.lab.example', path: '/export', mountPath: '/data', readOnly: true }] } });
  await person.open(`/workloads/${held.workloadId}`);
  await page.locator('main').getByText('/export → /data, read only').waitFor();
  await world.work.call('DELETE', `/api/v1/workloads/trainings/${held.workloadId}`);
});

test('files_are_listed_fetched_and_sent', async () => {
  const person = await worker();
  const { page } = person;
  const made = await submit('with-files', { command: 'sh', args: '-c "mkdir -p out; printf hello > out/greeting.txt; sleep 600"' });
  await person.open(`/workloads/${made.workloadId}?tab=files`);
  await page.getByRole('button', { name: 'out', exact: true }).click();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download greeting.txt' }).click()]);
  check(readFileSync(await saved.path(), 'utf8') === 'hello', 'the file came back changed');
  await page.getByLabel('Files to send').setInputFiles({ name: 'sent.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(700_001, 7) });
  await page.getByRole('row', { name: /sent\.bin/ }).waitFor();
  await page.getByRole('row', { name: /684 KiB/ }).waitFor();
  await world.work.call('DELETE', `/api/v1/workloads/trainings/${made.workloadId}`);
});

test('the_timeline_shows_who_held_a_gpu_and_what_is_planned', async () => {
  const person = await worker();
  const { page } = person;
  const short = await submit('an-hour', { command: 'sleep 600', timeLimitSeconds: 3600, compute: gpus(4) });
  const next = await submit('after-the-hour', { command: 'true', compute: gpus(4) });
  await person.open('/timeline');
  await page.locator('.gantt-bar.runs', { hasText: 'an-hour · 4 GPUs' }).waitFor();
  await person.open('/timeline?rows=gpu');
  await page.locator('.gantt-bar.runs', { hasText: 'an-hour' }).nth(3).waitFor();
  await page.locator('.gantt-bar.until').nth(3).waitFor();
  await page.getByRole('link', { name: 'after-the-hour' }).waitFor();
  await page.locator('.gantt-bar.plan').waitFor();
  await world.work.call('DELETE', `/api/v1/workloads/trainings/${next.workloadId}`);
  await world.work.call('DELETE', `/api/v1/workloads/trainings/${short.workloadId}`);
  await page.locator('.gantt-bar.done', { hasText: 'an-hour' }).first().waitFor();
});

test('two_browsers_see_a_change_within_a_second', async () => {
  const first = await worker();
  await submit('pushed-0', { command: 'true' });
  const second = await Person.of(ADMIN, PASSWORD, '/workloads', first.base);
  await second.page.waitForSelector('table');
  await first.open('/workloads');
  await first.page.waitForSelector('table');
  await second.page.waitForTimeout(800);
  const times = [];
  for (const n of [1, 2, 3, 4, 5]) {
    await submit(`pushed-${n}`, { command: 'true' });
    const sent = Date.now();
    await Promise.all([first.sees(`pushed-${n}`), second.sees(`pushed-${n}`)]);
    times.push(Date.now() - sent);
    await second.page.waitForTimeout(900);
  }
  console.error(`two browsers saw five changes after ${times.join(', ')} ms`);
  check(Math.max(...times) < 1000 * slow(), `it took ${times.join(', ')} ms`);
  await second.leave();
});

test('what_was_opened_here_asked_no_other_server', async () => {
  const person = await worker();
  check(person.strangers.length === 0, `asked ${person.strangers.slice(0, 3).join(' ')}`);
  check(world.admin.strangers.length === 0, `asked ${world.admin.strangers.slice(0, 3).join(' ')}`);
});
