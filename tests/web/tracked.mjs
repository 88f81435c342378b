// Tracked runs with files, and a report about them, to look at. One run ended badly, one goes on.
const idOf = (n) => n.toString(16).padStart(2, '0').repeat(16);
const STEPS = 60;

// The smallest picture there is: one pixel.
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const DIFF = ['diff --git a/train.py b/train.py', '--- a/train.py', '+++ b/train.py', '@@ -1,3 +1,3 @@', ' import torch', '-lr = 0.1', '+lr = 0.01', ''].join('\n');

const metricsAt = (n, step) => ({ loss: Math.exp((-step * (n + 1)) / 40) + 0.02 * ((step * 7) % 5), accuracy: 1 - Math.exp(-step / 30) / (n + 1), reward: -30 + step * (n + 0.5) });

function recordsOf(n, project, end) {
  const at = Date.now() / 1000 - 7200 + 600 * n;
  const values = { lr: 10 ** -(1 + n), model: n % 2 ? 'vit' : 'resnet', seed: n, epochs: 10 };
  const points = Array.from({ length: STEPS }, (_, step) => ({ kind: 'metrics', time: at + step * 5, step, values: metricsAt(n, step) }));
  const start = { kind: 'start', time: at, name: `digits-${n}`, project, tags: ['baseline'] };
  return [start, { kind: 'config', time: at, values }, ...points, ...(end === null ? [] : [{ kind: 'finish', time: at + STEPS * 5, exit_code: end }])];
}

async function file(server, id, path, body) {
  const answer = await fetch(`${server.url}/api/v1/runs/${id}/artifacts/file?path=${encodeURIComponent(path)}`, { method: 'PUT', headers: { Authorization: `Bearer ${server.token}` }, body });
  if (!answer.ok) throw new Error(`PUT ${path}: ${answer.status} ${await answer.text()}`);
}

const REPORT = `## What we asked

Does a **smaller** learning rate help on digits? The runs are those of this week.

| model | loss |
|---|---:|
| resnet | 0.08 |
| vit | 0.05 |

\`\`\`chart
title: Loss of all runs
metric: loss
filter: params.epochs==10
smoothing: 0.6
\`\`\`

\`\`\`chart
kind: bar
metric: reward
group: params.model
\`\`\`

\`\`\`chart
kind: scatter
metric: loss
x: params.lr
log x: yes
\`\`\`

## What we found

1. \`vit\` is better.
2. [ ] Try a *longer* schedule.

> A note for later.
`;

/** Runs of a project by its name; gives the ids of the runs and of the report. */
export async function fillRuns(server, project) {
  const ends = [0, 0, 0, 1, null];
  for (const [n, end] of ends.entries()) await server.call('POST', `/api/v1/runs/${idOf(n + 1)}/batch`, { offset: 0, records: recordsOf(n, project.name, end) });
  for (const n of [0, 1]) {
    await file(server, idOf(n + 1), 'curves/loss.gif', PICTURE);
    await file(server, idOf(n + 1), 'summary.json', JSON.stringify({ best: 0.9 + n / 100 }, null, 2));
    await file(server, idOf(n + 1), 'empty.txt', '');
    await file(server, idOf(n + 1), 'model/weights.bin', Buffer.alloc(4096 * (n + 1)));
    await file(server, idOf(n + 1), 'code/diff.patch', DIFF);
  }
  const report = await server.call('POST', '/api/v1/reports', { projectId: Number(project.id), title: 'Learning rates on digits', text: REPORT });
  return { ids: ends.map((_, n) => idOf(n + 1)), report: report.id };
}

export const RUN_TABS = ['charts', 'overview', 'files', 'code'];
export const COMPARE_TABS = ['charts', 'scatter', 'bars', 'params', 'metrics', 'media', 'files'];

/** The pages about runs and reports, with something on them. */
export function trackedPages({ ids, report }) {
  const compared = ids.map((id) => `run=${id}`).join('&');
  return [
    ...RUN_TABS.map((tab) => [`run-${tab}`, `/runs/${ids[0]}?tab=${tab}`]),
    ['run-file', `/runs/${ids[0]}?tab=files&file=summary.json`],
    ['run-live', `/runs/${ids.at(-1)}`],
    ['runs-grouped', '/runs?group=params.model'],
    ...COMPARE_TABS.map((tab) => [`compare-${tab}`, `/runs/compare?${compared}&tab=${tab}`]),
    ['report', `/reports/${report}`],
  ];
}
