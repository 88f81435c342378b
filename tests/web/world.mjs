// What every test of the dashboard sees: the servers, the browser, the people.
//
// `world.server` holds a lab of declared nodes; `world.work` runs real processes on this machine.
import { serveDashboard } from './lib.mjs';

export const world = {
  server: null,
  base: '',
  work: null,
  browser: null,
  lab: null,
  admin: null,
};

export const TESTS = [];
export const test = (name, run) => TESTS.push([name, run]);

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

// The limits are for the product: a build with sanitizers, beside other tests, is held to them roughly.
export const slow = () => (/release/.test(process.env.YARD_BUILD ?? 'release') ? 1 : 20);

/** A browser of its own for one person. */
export class Person {
  static async of(username, password, path = '/', base = world.base) {
    const person = new Person();
    person.base = base;
    person.context = await world.browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    person.context.setDefaultTimeout(90_000); // a busy machine is slow
    person.page = await person.context.newPage();
    person.problems = [];
    person.strangers = [];
    person.page.on('console', (m) => m.type() === 'error' && person.problems.push(m.text()));
    person.page.on('pageerror', (error) => person.problems.push(String(error)));
    person.page.on('request', (r) => /^https?:/.test(r.url()) && !r.url().startsWith(`${base}/`) && person.strangers.push(r.url()));
    await person.page.goto(base + path);
    await person.signIn(username, password);
    return person;
  }

  async signIn(username, password) {
    await this.page.fill('input[name=username]', username);
    await this.page.fill('input[name=password]', password);
    await this.page.click('button[type=submit]');
  }

  async open(path) {
    await this.page.goto(this.base + path);
    await this.page.waitForSelector('main h1');
  }

  /** Goes there without loading the application again. The page before stays until the code of the next one is there. */
  async go(path) {
    await this.page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await this.page.waitForFunction(() => (location.pathname + location.search).endsWith(document.querySelector('.shell')?.dataset.shows ?? 'nothing yet'), null, { timeout: 60_000 });
    await this.page.waitForSelector('main h1');
    await this.page.waitForFunction(() => !document.querySelector('.progress, .skeleton'), null, { timeout: 60_000 });
    await this.page.waitForTimeout(150);
  }

  sees(text, timeout = 60_000) {
    return this.page.getByText(text).first().waitFor({ timeout });
  }

  async leave() {
    await this.context.close();
  }
}

/** The dashboard of another server. */
export const siteOf = (server) => (server.site ??= serveDashboard(server));
