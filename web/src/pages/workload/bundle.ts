// Everything the server says about one workload, as one file to send to whoever helps.
import { api, open } from '@/api/client';
import type { WorkloadDetails } from '@/api/queries';
import { saveFile } from '@/lib/browser';
import { kindRoute } from '@/pages/workloads/kinds';

const LOG_LINES = 2000;

/** What cannot be read is said in its place. */
const orReason = (answer: Promise<unknown>) => answer.catch((error: unknown) => ({ unavailable: error instanceof Error ? error.message : String(error) }));

/** Values of variables may be secrets; their names are enough to help. */
function withoutValues(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) =>
    key === 'environmentVariables' && Array.isArray(value) ? value.map((v: { name?: string }) => ({ name: v.name, value: '(left out)' })) : value,
  );
}

export async function saveBundle(w: WorkloadDetails): Promise<void> {
  const of = `/api/v1/workloads/${w.id}`;
  const parts: Record<string, Promise<unknown>> = {
    version: api.get('/api/v1/version'),
    workload: api.get(of),
    record: api.get(`${kindRoute(w.type)}/${w.id}`).then(withoutValues),
    attempts: api.get(`${of}/attempts`),
    history: api.get(`${of}/history`, { limit: 500 }),
    why: api.get(`${of}/why`),
    usage: api.get(`${of}/usage`),
    log: open('GET', `${of}/logs`, { query: { tail: LOG_LINES } }).then((answer) => answer.text()),
  };
  const entries = await Promise.all(Object.entries(parts).map(async ([name, answer]) => [name, await orReason(answer)] as const));
  const bundle = { madeAt: new Date().toISOString(), ...Object.fromEntries(entries) };
  saveFile(`${w.name}-support.json`, JSON.stringify(bundle, null, 2), 'application/json');
}
