// Inside of work, while it runs and after its end: its files, its shell, its log with times.
import { readFileSync } from 'node:fs';
import { ADMIN, PASSWORD, Server, until } from './lib.mjs';
import { check, Person, siteOf, slow, test, world } from './world.mjs';

const submit = (name, spec) =>
  world.work.call('POST', '/api/v1/workloads/trainings', { name, projectId: world.project.id, clusterId: world.project.clusterId, spec });
const phaseOf = async ({ workloadId }) => (await world.work.call('GET', `/api/v1/workloads/${workloadId}`)).phase;
const remove = ({ workloadId }) => world.work.call('DELETE', `/api/v1/workloads/trainings/${workloadId}`);

/** Signed in at the server that runs real work, on a page. */
async function enter(path) {
  const person = await Person.of(ADMIN, PASSWORD, '/my-work', await siteOf(world.work));
  await person.page.waitForSelector('.sidebar');
  await person.open(path);
  return person;
}

// The smallest picture there is: one pixel.
const PICTURE = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const WRITES = `mkdir -p $GPUYARD_OUTPUT/model/deep; printf 'loss 0.25' > $GPUYARD_OUTPUT/model/summary.txt; echo ${PICTURE} | base64 -d > $GPUYARD_OUTPUT/curve.gif; head -c 64 /dev/zero > $GPUYARD_OUTPUT/model/deep/weights.bin`;

test('what_ended_work_has_left_is_browsed_read_and_fetched', async () => {
  const made = await submit('leaves-results', { command: 'sh', args: `-c "${WRITES}"` });
  await until(async () => (await phaseOf(made)) === 'Completed', 'the work to end');
  const person = await enter(`/workloads/${made.workloadId}?tab=files`);
  const { page } = person;
  const dialog = page.locator('dialog[open]');
  await page.getByRole('button', { name: 'curve.gif', exact: true }).click();
  await dialog.locator('img').waitFor();
  check(await dialog.locator('img').evaluate((img) => img.decode().then(() => img.naturalWidth === 1)), 'the picture is not shown');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'model', exact: true }).click();
  await page.getByRole('button', { name: 'summary.txt', exact: true }).click();
  await dialog.getByText('loss 0.25').waitFor();
  const [saved] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download' }).click()]);
  check(readFileSync(await saved.path(), 'utf8') === 'loss 0.25', 'the file came back changed');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'deep', exact: true }).click();
  await page.getByRole('button', { name: 'weights.bin', exact: true }).click();
  await dialog.getByText('This file is not text').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Folder' }).getByRole('button', { name: 'Output folder' }).click();
  await page.getByRole('button', { name: 'curve.gif', exact: true }).waitFor();
  check((await page.getByRole('button', { name: /^Actions of/ }).count()) === 0, 'what has ended is offered for changes');
  check(person.problems.length === 0, person.problems.join(' '));
  await remove(made);
  await person.leave();
});

test('somebody_of_another_project_reaches_no_files_of_work', async () => {
  const made = await submit('not-for-gus', { command: 'sh', args: '-c "echo private; echo private > $GPUYARD_OUTPUT/private.txt"' });
  await until(async () => (await phaseOf(made)) === 'Completed', 'the work to end');
  const { clusterId } = world.project;
  const other = await world.work.call('POST', '/api/v1/org-unit/projects', { name: 'elsewhere', clusterId, parentId: world.project.parentId, resources: [] });
  const account = await world.work.call('POST', '/api/v1/users', { email: 'gus@lab.example' });
  const role = (await world.work.call('GET', '/api/v1/authorization/roles')).find((r) => r.name === 'L1 researcher');
  await world.work.call('POST', '/api/v1/authorization/access-rules', { subjectId: 'gus@lab.example', subjectType: 'user', roleId: role.id, scopeId: other.id, scopeType: 'project' });
  const first = await world.work.signIn('gus@lab.example', account.tempPassword);
  await world.work.call('POST', '/api/v1/me/password', { currentPassword: account.tempPassword, newPassword: 'gus-keeps-a-long-one' }, first);
  const token = await world.work.signIn('gus@lab.example', 'gus-keeps-a-long-one');
  const status = async (path, bearer) => (await fetch(`${world.work.url}/api/v1/workloads/${made.workloadId}/${path}`, { headers: { Authorization: `Bearer ${bearer}` } })).status;
  for (const path of ['outputs', 'files?path=private.txt', 'logs']) {
    check((await status(path, world.work.token)) === 200, `${path} is not even open to the administrator`);
    const answer = await status(path, token);
    check(answer === 403 || answer === 404, `${path} is answered with ${answer} to somebody of another project`);
  }
  await remove(made);
  await world.work.call('DELETE', `/api/v1/org-unit/projects/${other.id}`);
});

test('files_of_running_work_are_read_renamed_and_deleted', async () => {
  const made = await submit('changes-files', { command: 'sh', args: '-c "mkdir -p runs/one; echo all good > runs/notes.txt; echo other > runs/taken.txt; sleep 600"' });
  const person = await enter(`/workloads/${made.workloadId}?tab=files`);
  const { page } = person;
  const dialog = page.locator('dialog[open]');
  const file = (name) => page.getByRole('button', { name, exact: true });
  const ask = async (name, item) => {
    await page.getByRole('button', { name: `Actions of ${name}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await dialog.waitFor();
  };
  await file('runs').click();
  await file('notes.txt').click();
  await dialog.getByText('all good').waitFor();
  await page.keyboard.press('Escape');
  await ask('notes.txt', 'Rename…');
  await page.fill('dialog input[name=name]', 'taken.txt');
  await dialog.locator('button[type=submit]').click();
  await dialog.getByText('exists already').waitFor();
  await page.fill('dialog input[name=name]', 'kept notes.txt');
  await dialog.locator('button[type=submit]').click();
  await file('kept notes.txt').waitFor();
  check((await file('notes.txt').count()) === 0, 'the old name is still there');
  await ask('one', 'Delete…');
  await dialog.getByText('The folder and all that is in it').waitFor();
  await dialog.locator('button[type=submit]').click();
  await file('one').waitFor({ state: 'detached' });
  await file('taken.txt').waitFor();
  check(person.problems.length === 0, person.problems.join(' '));
  await remove(made);
  await person.leave();
});

test('a_shell_opens_fills_the_screen_and_says_what_leaving_does', async () => {
  const made = await submit('has-a-shell', { command: 'sleep 600' });
  const person = await enter(`/workloads/${made.workloadId}?tab=terminal`);
  const { page } = person;
  await person.sees('leaving this tab ends it');
  await page.getByRole('button', { name: 'Full screen' }).waitFor();
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.type('echo answer-$((6*7))\n');
  await page.locator('.xterm-rows').getByText('answer-42').waitFor();
  const [card, shell] = [await page.locator('.card', { has: page.locator('.xterm') }).boundingBox(), await page.locator('.xterm').boundingBox()];
  check(shell.y + shell.height <= card.y + card.height + 0.5, `the shell ends ${shell.y + shell.height - card.y - card.height} px below its card`);
  await page.getByRole('button', { name: 'Full screen' }).click();
  await page.waitForFunction(() => document.fullscreenElement?.classList.contains('shell-screen'));
  await page.evaluate(() => document.exitFullscreen());
  await remove(made);
  await person.leave();
});

test('lines_that_come_while_a_log_is_open_have_their_times', async () => {
  const made = await submit('keeps-times', { command: 'sh', args: '-c "echo at-first; while [ ! -e go ]; do sleep 0.1; done; date +then-%s; sleep 600"' });
  await until(async () => (await phaseOf(made)) === 'Running', 'the work');
  const person = await enter(`/workloads/${made.workloadId}?tab=logs`);
  const { page } = person;
  const line = (text) => page.locator('.log-line', { hasText: text });
  await line('at-first').waitFor();
  await page.getByRole('button', { name: 'Times' }).click();
  const second = await Person.of(ADMIN, PASSWORD, `/workloads/${made.workloadId}?tab=files`, await siteOf(world.work));
  await second.page.getByLabel('Files to send').setInputFiles({ name: 'go', mimeType: 'text/plain', buffer: Buffer.from('go') });
  await line('then-').locator('.log-time').getByText(/\d\d:\d\d:\d\d/).waitFor();
  const written = Number(/then-(\d+)/.exec(await line('then-').innerText())[1]);
  const shown = Date.parse((await line('then-').locator('.log-time').getAttribute('title')).replace(/\bat\b|,(?= \d\d:)/g, '')) / 1000;
  check(Math.abs(shown - written) < 15 * slow(), `it was written at ${written}, the page says ${shown}`);
  check((await line('at-first').locator('.log-time').innerText()) === '', 'a line that was there before has a time');
  await page.getByRole('button', { name: 'Times' }).click();
  await page.locator('.log-time').first().waitFor({ state: 'detached' });
  await remove(made);
  await second.leave();
  await person.leave();
});

// The first administrator of a server that makes up the password and prints it once.
test('a_printed_password_is_mentioned_on_each_page_until_it_is_changed', async () => {
  const server = await new Server('printed', [], { password: null }).start();
  const password = /password\s+(\S+)/i.exec(readFileSync(`${server.dataDir}.log`, 'utf8'))?.[1];
  check(password, 'the server has printed no password');
  const person = await Person.of(ADMIN, password, '/projects', await siteOf(server));
  const { page } = person;
  const banner = page.locator('.banner', { hasText: 'the password that the server printed' });
  await banner.waitFor();
  await person.open('/nodes');
  await banner.getByRole('link', { name: 'Choose your own' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.locator('input[type=password]').first().waitFor();
  check((await dialog.locator('input[type=password]').count()) === 3, 'the present password is not asked for');
  await dialog.locator('input[type=password]').nth(0).fill(password);
  await dialog.locator('input[type=password]').nth(1).fill('an-own-and-long-one');
  await dialog.locator('input[type=password]').nth(2).fill('an-own-and-long-one');
  await dialog.locator('button[type=submit]').click();
  await dialog.waitFor({ state: 'detached' });
  await person.open('/projects');
  await banner.waitFor({ state: 'detached' });
  await person.leave();
  await server.stop();
});
