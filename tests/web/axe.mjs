// What axe says of a page as it is.
import { readFileSync } from 'node:fs';
import { AXE } from './lib.mjs';

export const takeAxe = (page) => page.evaluate(readFileSync(AXE, 'utf8'));

/** Waits until the page is drawn and nothing on it moves: colours in between are nobody's. */
export async function settled(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    await frame();
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
    await frame();
  });
}

// Good practice that no standard asks for: contents in landmarks, one main heading.
const ALSO = ['region', 'landmark-one-main', 'page-has-heading-one'];

/** Serious violations. */
export async function violations(page) {
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  const serious = result.violations.filter((v) => ['serious', 'critical'].includes(v.impact) || ALSO.includes(v.id));
  return serious.map((v) => `${v.id} ${v.nodes[0].target} (${v.nodes.length})`);
}
