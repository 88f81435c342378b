// Numbers on the pages, as five people see them, against what the administrator's API says.
import { check, test, world } from './world.mjs';
import { until } from './lib.mjs';
import { api, count, enter, ROLES, scene, snake, submit } from './scene.mjs';

const numberIn = async (locator) => Number((await locator.innerText()).replace(/[^0-9.]/g, ''));

/** How many GPUs each page calls free. */
async function freeOnNodes(person) {
  await person.open('/nodes');
  await person.page.locator('.node-card .gpu:not(.pending)').first().waitFor();
  return person.page.locator('.node-card .gpu.free').count();
}

for (const role of ROLES) {
  test(`free_gpus_are_the_same_number_for_the_${snake(role)}_as_for_the_api`, async () => {
    const { people } = await scene();
    const models = (await api('GET', '/api/v1/gpus/count')).models;
    const free = models.reduce((sum, m) => sum + m.free, 0);
    check(free === 1, `the scene has ${free} free GPUs`);
    const person = await enter(people[role]);
    const shown = person.page.locator('.free-gpu .free-number').first();
    await shown.waitFor();
    check((await numberIn(shown)) === free, `My work says ${await shown.innerText()} free`);
    const sidebar = await person.page.locator('.nav').innerText();
    if (sidebar.includes('Nodes and GPUs')) {
      const squares = await freeOnNodes(person);
      check(squares === free, `the page of nodes shows ${squares} free GPUs`);
      const hatched = await person.page.locator('.node-card .gpu.others').count();
      check(hatched === (role === 'administrator' ? 0 : 2), `${hatched} GPUs are shown as another project's`);
    }
    check(!/secret-run/.test(await person.page.content()) || role === 'administrator', 'the name of hidden work is shown');
    await person.leave();
  });
}

test('counts_of_a_persons_work_come_from_the_server', async () => {
  const { people } = await scene();
  const person = await enter(people.researcher);
  const tile = (label) => person.page.locator('.tile', { hasText: label }).locator('.tile-value');
  await tile('Running').waitFor();
  const running = await count('submittedBy==rita@lab.example,phase==Running');
  check((await numberIn(tile('Running'))) === running, `Running says ${await tile('Running').innerText()}, the server ${running}`);
  await person.open('/workloads');
  const seen = await count(`projectId==${world.project.id}`);
  const pager = person.page.locator('.pager [role=status]');
  await pager.filter({ hasText: `of ${seen}` }).waitFor();
  await person.leave();
});

test('somebody_without_a_project_is_welcomed_and_meets_no_refusal', async () => {
  const { people } = await scene();
  const person = await enter(people.newcomer);
  await person.sees('You are not in a project yet');
  await person.leave();
});

test('work_that_can_never_run_is_said_so_in_red', async () => {
  const { people } = await scene();
  const person = await enter(people.researcher);
  await person.open('/workloads/new');
  await person.page.fill('input[name=name]', 'too-large');
  await person.page.selectOption('select[name=project]', 'vision');
  await person.page.getByLabel('Command', { exact: true }).fill('true');
  await person.page.fill('input[name=gpu]', '8');
  const notice = person.page.locator('.notice.bad', { hasText: 'Cannot run here' });
  await notice.waitFor();
  await notice.getByRole('button', { name: 'Apply' }).first().click();
  await person.page.locator('.notice.bad', { hasText: 'Cannot run here' }).waitFor({ state: 'detached' });
  await person.leave();
});

/** A template for everybody, with a command that ends at once. */
async function template() {
  const environment = await api('POST', '/api/v1/asset/environment', { meta: { name: 'usual-env', scope: 'tenant' }, spec: { command: 'true' } });
  await api('POST', '/api/v1/asset/workload-template', { meta: { name: 'usual', scope: 'tenant' }, spec: { assets: { environment: environment.meta.id } } });
}

// The tasks of every day, in clicks from the home page.
test('daily_tasks_take_few_clicks', async () => {
  const { people } = await scene();
  const person = await enter(people.researcher);
  const { page } = person;
  const clicks = { count: 0 };
  const click = async (locator) => {
    clicks.count += 1;
    await locator.click();
  };
  const task = async (name, most, run) => {
    await person.open('/my-work');
    clicks.count = 0;
    await run();
    check(clicks.count <= most, `${name} took ${clicks.count} clicks, not ${most}`);
  };
  await template();
  await task('whether GPUs are free', 0, () => page.locator('.free-gpu').first().waitFor());
  await task('the log of a running job', 1, async () => {
    await click(page.getByRole('link', { name: 'Log of own-run' }));
    await page.waitForURL(/tab=logs/);
  });
  await task('the start of a notebook', 2, async () => {
    await click(page.getByRole('link', { name: 'JupyterLab' }));
    await page.locator('select[name=project]').waitFor();
    await page.waitForFunction(() => document.querySelector('select[name=project]').value === 'vision');
    await page.getByRole('button', { name: 'Submit workspace' }).waitFor();
    await click(page.getByRole('button', { name: 'Submit workspace' }));
    await page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
  });
  await task('opening my notebook', 1, async () => {
    const spec = { command: 'sh', args: '-c "exec /usr/bin/python3 -m http.server $GPUYARD_PORT --bind 127.0.0.1"', exposedUrls: [{ container: 8888, toolType: 'jupyter-notebook', toolName: 'Jupyter' }] };
    const made = await api('POST', '/api/v1/workloads/workspaces', { name: 'my-lab', projectId: world.project.id, clusterId: world.project.clusterId, spec }, people.researcher.token);
    await until(async () => (await api('GET', `/api/v1/workloads/${made.workloadId}`)).phase === 'Running', 'the notebook', 60);
    const opened = person.context.waitForEvent('page');
    await click(page.getByRole('link', { name: 'Open Jupyter of my-lab' }));
    const tool = await opened;
    await tool.waitForURL(/\/vision\/my-lab\//);
    await tool.close();
    await api('DELETE', `/api/v1/workloads/workspaces/${made.workloadId}`);
  });
  await task('why a job waits', 0, async () => {
    const waiting = await submit('waits-long', world.project, { command: 'true', compute: { gpuDevicesRequest: 4, gpuRequestType: 'portion', gpuPortionRequest: 1 } }, people.researcher.token);
    await until(async () => (await api('GET', `/api/v1/workloads/${waiting.workloadId}`)).phase === 'Pending', 'the job to wait', 60);
    await page.getByRole('row', { name: /waits-long/ }).getByText(/\d GPUs? /).waitFor();
    await api('DELETE', `/api/v1/workloads/trainings/${waiting.workloadId}`);
  });
  await task('why a job failed', 1, async () => {
    const failing = await submit('fails-soon', world.project, { command: 'sh', args: "-c 'echo FileNotFoundError: labels.json; exit 3'" }, people.researcher.token);
    await until(async () => (await api('GET', `/api/v1/workloads/${failing.workloadId}`)).phase === 'Failed', 'the job to fail', 60);
    await click(page.getByRole('link', { name: 'fails-soon', exact: true }).first());
    await page.getByRole('heading', { name: 'FileNotFoundError: labels.json' }).waitFor();
  });
  await task('the start from a template', 2, async () => {
    await click(page.getByRole('group', { name: 'Start' }).getByRole('link', { name: 'usual' }));
    await page.waitForFunction(() => document.querySelector('select[name=project]')?.value === 'vision');
    await page.getByRole('button', { name: /Submit training/ }).waitFor();
    await page.waitForFunction(() => [...document.querySelectorAll('button[type=submit]')].some((b) => /Submit training/.test(b.textContent) && !b.disabled));
    await click(page.getByRole('button', { name: /Submit training/ }));
    await page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
  });
  await task('GPU-hours by person of a month', 2, async () => {
    await click(page.locator('.nav').getByRole('link', { name: 'Analytics', exact: true }));
    await click(page.getByRole('group', { name: 'Grouped by' }).getByRole('button', { name: 'User' }));
    await page.getByRole('region', { name: 'GPU-hours' }).getByText('rita@lab.example').waitFor();
    check(await page.getByRole('button', { name: 'Month' }).getAttribute('aria-pressed').then((on) => on !== 'false'), 'the period is not a month');
  });
  await task('stopping a job', 2, async () => {
    await click(page.getByRole('button', { name: 'Stop own-run' }));
    await click(page.locator('dialog button[type=submit]'));
    await page.locator('dialog').waitFor({ state: 'detached' });
  });
  const short = await submit('short-run', world.project, { command: 'true' }, people.researcher.token);
  await until(async () => (await api('GET', `/api/v1/workloads/${short.workloadId}`)).phase === 'Completed', 'the end of the job', 60);
  await task('running the same again', 2, async () => {
    await click(page.getByRole('button', { name: 'Run short-run again' }));
    await click(page.locator('dialog button[type=submit]'));
    await page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
  });
  await person.leave();
  // One of the tasks is an administrator's. The address is typed where the dialog has put the focus.
  const admin = await enter(people.administrator);
  clicks.count = 0;
  await click(admin.page.locator('.nav').getByRole('link', { name: 'Users' }));
  await click(admin.page.getByRole('button', { name: 'Invite people' }).first());
  await admin.page.locator('textarea[name=emails]:focus').waitFor();
  await admin.page.keyboard.type('paul@lab.example');
  clicks.count += 2; // opening a choice and choosing
  await admin.page.selectOption('select[name=projectId]', { label: 'vision' });
  await click(admin.page.locator('dialog button[type=submit]'));
  check(clicks.count <= 5, `adding a person took ${clicks.count} clicks, not 5`);
  await admin.sees('Temporary password of paul@lab.example');
  const rules = await api('GET', '/api/v1/authorization/access-rules?limit=500');
  check(rules.accessRules.some((r) => r.subjectId === 'paul@lab.example' && r.roleName === 'L1 researcher'), 'the person has no role');
  await admin.leave();
});
