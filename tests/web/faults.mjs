// What must stay calm: lost servers, ended sessions, refusals, odd names, very long logs.
import { check, Person, test, world } from './world.mjs';

const MARKUP = '<img src=x onerror="window.injected=1"><b>bold</b>';

test('a_lost_connection_is_said_and_mends_by_itself', async () => {
  await world.admin.open('/workloads');
  await world.admin.page.waitForSelector('table');
  await world.server.stop();
  await world.admin.sees('The connection to the server is lost');
  await world.admin.page.waitForSelector('table');
  await world.server.start(world.server.port);
  await world.admin.page.getByText('The connection to the server is lost').waitFor({ state: 'detached', timeout: 40_000 });
  await world.server.call('POST', '/api/v1/workloads/trainings', { name: 'after-restart', projectId: world.lab.vision.id, clusterId: world.lab.cluster, spec: { command: 'true' } });
  await world.admin.sees('after-restart');
});

test('an_ended_session_asks_again_and_keeps_what_was_typed', async () => {
  await world.server.call('POST', '/api/v1/users', { email: 'eve@lab.example.org' }).then((made) => (world.lab.eve = made));
  const role = (await world.server.call('GET', '/api/v1/authorization/roles')).find((r) => r.name === 'System administrator');
  await world.server.call('POST', '/api/v1/authorization/access-rules', { subjectId: 'eve@lab.example.org', subjectType: 'user', roleId: role.id, scopeId: '1', scopeType: 'tenant' });
  const first = await world.server.signIn('eve@lab.example.org', world.lab.eve.tempPassword);
  await world.server.call('POST', '/api/v1/me/password', { currentPassword: world.lab.eve.tempPassword, newPassword: 'eve-keeps-a-long-one' }, first);
  const eve = await Person.of('eve@lab.example.org', 'eve-keeps-a-long-one', '/workloads/new');
  await eve.page.fill('input[name=name]', 'typed-before');
  await eve.page.selectOption('select[name=project]', 'vision');
  await eve.page.getByLabel('Command', { exact: true }).fill('sleep 1');
  await world.server.call('POST', `/api/v1/users/${world.lab.eve.id}/logout`);
  await eve.page.getByRole('button', { name: 'Submit training' }).click();
  await eve.page.getByText('Sign in again').waitFor();
  await eve.page.locator('dialog input[type=password]').fill('eve-keeps-a-long-one');
  await eve.page.locator('dialog button[type=submit]').click();
  await eve.page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
  await eve.sees('typed-before');
  await eve.context.close();
});

test('markup_in_a_name_is_shown_and_not_run', async () => {
  await world.server.call('POST', '/api/v1/asset/compute', { meta: { name: 'odd', description: MARKUP, scope: 'tenant' }, spec: { cpuCoreRequest: 1, cpuMemoryRequest: '1G' } });
  await world.server.call('POST', '/api/v1/authorization/roles', { name: 'odd-role', description: MARKUP, permissions: [{ resourceType: 'project', actions: ['read'] }] });
  await world.server.call('POST', '/api/v1/workloads/trainings', { name: 'odd-command', projectId: world.lab.vision.id, clusterId: world.lab.cluster, spec: { image: MARKUP, command: MARKUP } });
  const odd = (await world.server.call('GET', '/api/v1/workloads?search=odd-command')).workloads[0];
  for (const path of ['/compute', '/roles', '/workloads', `/workloads/${odd.id}?tab=details`, '/audit', `/workloads?q=${encodeURIComponent(MARKUP)}`, `/workloads/new?from=${odd.id}`]) {
    await world.admin.open(path);
    await world.admin.page.waitForTimeout(300);
    check((await world.admin.page.evaluate(() => window.injected)) === undefined, `it ran on ${path}`);
    check((await world.admin.page.locator('main b, main img').count()) === 0, `it became elements on ${path}`);
  }
  await world.admin.open('/compute');
  await world.admin.sees('<b>bold</b>');
});
