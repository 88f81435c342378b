// People with one role each, made for a test.
import { Person, world } from './world.mjs';

/** Someone with one role, who has chosen a password. */
export async function personWith(email, role, scope, path) {
  const made = await world.server.call('POST', '/api/v1/users', { email });
  const rule = await world.server.call('POST', '/api/v1/authorization/access-rules', { subjectId: email, subjectType: 'user', roleId: role, ...scope });
  const password = `${email}-keeps-a-long-one`;
  const first = await world.server.signIn(email, made.tempPassword);
  await world.server.call('POST', '/api/v1/me/password', { currentPassword: made.tempPassword, newPassword: password }, first);
  const person = await Person.of(email, password, path);
  await person.page.waitForSelector('.sidebar');
  return Object.assign(person, { id: made.id, password, rule });
}

export const roleNamed = async (name) => (await world.server.call('GET', '/api/v1/authorization/roles')).find((r) => r.name === name).id;
export const TENANT = { scopeId: '1', scopeType: 'tenant' };
