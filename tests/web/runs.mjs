// Runs, as a member of a project logs them with the Python module and looks at them.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from './lib.mjs';
import { check, Person, siteOf, test, world } from './world.mjs';

const TRAINING = `
import math, gpuyard
for number, lr in enumerate([0.1, 0.01, 0.001]):
    run = gpuyard.init(project="vision", name=f"digits-{number}", config={"lr": lr, "model": "resnet"}, tags=["sweep"])
    for step in range(200):
        gpuyard.log({"loss": math.exp(-step * lr) + 0.05 * (step == 100), "acc": step / 200}, step=step)
    gpuyard.summary["best"] = 0.9 + number / 100
    gpuyard.finish()
`;

/** A member of the project, with runs of their own. */
export async function member() {
  if (world.logger) return world.logger;
  const email = 'lena@lab.example.org';
  const password = 'lena-keeps-a-long-one';
  const made = await world.work.call('POST', '/api/v1/users', { email });
  const role = (await world.work.call('GET', '/api/v1/authorization/roles')).find((r) => r.name === 'L1 researcher').id;
  await world.work.call('POST', '/api/v1/authorization/access-rules', { subjectId: email, subjectType: 'user', roleId: role, scopeId: String(world.project.id), scopeType: 'project' });
  const first = await world.work.signIn(email, made.tempPassword);
  await world.work.call('POST', '/api/v1/me/password', { currentPassword: made.tempPassword, newPassword: password }, first);
  const token = await world.work.signIn(email, password);
  await promisify(execFile)('python3', ['-c', TRAINING], {
    cwd: world.work.dataDir,
    env: { ...process.env, PYTHONPATH: `${ROOT}python`, PYTHONDONTWRITEBYTECODE: '1', GPUYARD_URL: world.work.url, GPUYARD_TOKEN: token },
  });
  world.logger = { email, password, token };
  return world.logger;
}

async function lena(path) {
  const { email, password } = await member();
  return Person.of(email, password, path, await siteOf(world.work));
}

const rows = (page) => page.getByRole('region', { name: 'Runs' }).locator('tbody tr');
const count = (page, wanted) => page.waitForFunction((n) => document.querySelectorAll('tbody tr').length === n, wanted);

test('a_member_sees_filters_groups_and_tags_the_runs_of_the_project', async () => {
  const person = await lena('/runs');
  const { page } = person;
  await page.getByRole('link', { name: 'digits-0' }).waitFor();
  await count(page, 3);
  await page.getByRole('columnheader', { name: 'loss' }).getByRole('button').click();
  await page.waitForFunction(() => document.querySelector('tbody tr')?.textContent.includes('digits-0'));
  await person.open('/runs?where=metrics.loss<=0.5');
  await count(page, 2);
  check((await page.locator('.chip').first().textContent()).includes('metrics.loss at most 0.5'), 'the filter is not shown');
  await person.open('/runs?group=params.lr');
  await page.getByRole('region', { name: 'Runs of 0.01' }).waitFor();
  await person.open('/runs');
  await rows(page).filter({ hasText: 'digits-1' }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Tags' }).click();
  await page.getByLabel('Name').fill('keep');
  await page.getByLabel('Value').fill('yes');
  await page.getByRole('button', { name: 'Set tag' }).click();
  await person.sees('Tag keep is set');
  await person.open('/runs?where=tags.keep==yes');
  await count(page, 1);
  check(person.problems.length === 0, person.problems.join('; '));
  await person.leave();
});

test('runs_are_compared_in_one_chart_and_by_what_differs', async () => {
  const person = await lena('/runs');
  const { page } = person;
  for (const name of ['digits-0', 'digits-2']) await rows(page).filter({ hasText: name }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('img', { name: 'loss of 2 runs' }).locator('canvas').waitFor();
  await page.getByRole('checkbox', { name: 'Log scale' }).check();
  await page.getByRole('button', { name: 'Run time' }).click();
  check(/log=1/.test(page.url()) && /axis=relative/.test(page.url()), `the look is not in the address: ${page.url()}`);
  await page.getByRole('tab', { name: 'Parameters' }).click();
  await page.getByRole('row', { name: /lr 0.001 0.1/ }).waitFor();
  check((await page.getByRole('row', { name: /model/ }).count()) === 0, 'an equal parameter is shown');
  check(person.problems.length === 0, person.problems.join('; '));
  await person.leave();
});

test('a_run_shows_what_it_was_told_and_goes_on_live', async () => {
  const { token } = await member();
  const id = 'ab'.repeat(16);
  const send = (records) => world.work.call('POST', `/api/v1/runs/${id}/batch`, { offset: 0, records }, token);
  const at = Date.now() / 1000;
  await send([{ kind: 'start', time: at, name: 'live' }, { kind: 'config', time: at, values: { depth: 7 } }, { kind: 'metrics', time: at, step: 1, values: { reward: 1 } }]);
  const person = await lena(`/runs/${id}?tab=overview`);
  const { page } = person;
  await page.getByRole('row', { name: 'depth 7' }).waitFor();
  await page.getByRole('row', { name: /reward 1 1/ }).waitFor();
  await send([{ kind: 'metrics', time: at + 1, step: 2, values: { reward: 5.5 } }, { kind: 'finish', time: at + 2, exit_code: 0 }]);
  await page.getByRole('row', { name: /reward 5.5 2/ }).waitFor();
  await person.sees('Finished');
  await person.leave();
});
