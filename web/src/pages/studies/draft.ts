// A study as a form has it: texts as they were typed, and what the API takes of them. Pure.
export interface DraftParameter {
  name: string;
  kind: 'float' | 'int' | 'choice';
  low: string;
  high: string;
  log: boolean;
  choices: string;
}

export interface Draft {
  name: string;
  project: string;
  metric: string;
  direction: 'minimize' | 'maximize';
  command: string;
  image: string;
  gpus: string;
  trials: string;
  concurrency: string;
  repeats: string;
  pruner: string;
  maxSteps: string;
  parameters: DraftParameter[];
}

export const emptyParameter = (): DraftParameter => ({ name: '', kind: 'float', low: '', high: '', log: false, choices: '' });

export const firstDraft = (): Draft => ({
  name: '', project: '', metric: 'loss', direction: 'minimize', command: '', image: '', gpus: '1', trials: '50', concurrency: '4', repeats: '1', pruner: 'none', maxSteps: '',
  parameters: [{ ...emptyParameter(), name: 'lr', low: '1e-5', high: '1e-1', log: true }],
});

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));
const choicesOf = (text: string) => text.split(',').map((one) => one.trim()).filter(Boolean);

/** "0.1" is a number, "adam" a text, as YAML reads them. */
const scalar = (text: string): string | number | boolean => (isNumber(text) ? Number(text) : text === 'true' ? true : text === 'false' ? false : text);

/** The problem that keeps the parameter from being used. */
export function parameterProblem(p: DraftParameter): string | null {
  if (!p.name.trim()) return 'A parameter needs a name.';
  if (p.kind === 'choice') return choicesOf(p.choices).length < 2 ? `${p.name}: name at least two choices, with commas between them.` : null;
  if (!isNumber(p.low) || !isNumber(p.high)) return `${p.name}: say its smallest and its largest value.`;
  if (Number(p.low) >= Number(p.high)) return `${p.name}: the smallest value must be below the largest.`;
  if (p.log && Number(p.low) <= 0) return `${p.name}: a log scale needs values above 0.`;
  if (p.kind === 'int' && !(Number.isInteger(Number(p.low)) && Number.isInteger(Number(p.high)))) return `${p.name}: a whole number has whole ends.`;
  return null;
}

export function problems(draft: Draft): string[] {
  const names = draft.parameters.map((p) => p.name.trim());
  const whole = (text: string, label: string) => (/^[1-9]\d*$/.test(text.trim()) ? null : `${label}: a whole number, 1 or more.`);
  return [
    /^[a-z0-9]([-a-z0-9]{0,48}[a-z0-9])?$/.test(draft.name) ? null : 'Name: small letters, digits and -, at most 50.',
    draft.project ? null : 'Choose a project.',
    draft.metric.trim() ? null : 'Metric: the number that counts.',
    draft.command.trim() || draft.image.trim() ? null : 'Say what a trial runs.',
    draft.parameters.length === 0 ? 'Name at least one parameter.' : null,
    ...draft.parameters.map(parameterProblem),
    names.some((name, i) => name && names.indexOf(name) !== i) ? 'Two parameters have the same name.' : null,
    whole(draft.trials, 'Configurations'),
    whole(draft.concurrency, 'At the same time'),
    whole(draft.repeats, 'Runs of each'),
    draft.gpus.trim() === '' || (isNumber(draft.gpus) && Number(draft.gpus) >= 0) ? null : 'GPUs: a number, such as 1 or 0.5.',
    draft.maxSteps.trim() === '' ? null : whole(draft.maxSteps, 'Steps of a whole trial'),
  ].filter((one): one is string => one !== null);
}

type Plain = Record<string, unknown>;

function parameterOf(p: DraftParameter): Plain {
  if (p.kind === 'choice') return { choices: choicesOf(p.choices).map(scalar) };
  return { ...(p.kind === 'int' ? { type: 'int' } : {}), low: Number(p.low), high: Number(p.high), ...(p.log ? { log: true } : {}) };
}

function computeOf(gpus: number): Plain {
  const part = gpus < 1 ? gpus : 1;
  return { gpuDevicesRequest: Math.ceil(gpus), gpuRequestType: 'portion', gpuPortionRequest: part };
}

const prunerOf = (draft: Draft): Plain | undefined => (draft.pruner === 'none' ? undefined : { type: draft.pruner, ...(draft.maxSteps.trim() && (draft.pruner === 'asha' || draft.pruner === 'hyperband') ? { maxSteps: Number(draft.maxSteps) } : {}) });

/** The body of the request; the draft has no problems. */
export function bodyOf(draft: Draft, projectId: string): Plain {
  const pruner = prunerOf(draft);
  const gpus = Number(draft.gpus || 0);
  return {
    name: draft.name,
    projectId,
    spec: {
      objectives: [{ metric: draft.metric.trim(), direction: draft.direction }],
      parameters: draft.parameters.map((p) => ({ name: p.name.trim(), ...parameterOf(p) })),
      ...(pruner ? { pruner } : {}),
      maxTrials: Number(draft.trials),
      repeats: Number(draft.repeats),
      concurrency: Number(draft.concurrency),
      workload: { ...(draft.command.trim() ? { command: draft.command } : {}), ...(draft.image.trim() ? { image: draft.image.trim() } : {}), ...(gpus > 0 ? { compute: computeOf(gpus) } : {}) },
    },
  };
}

/** The same for `gpuyard tune`. */
export function fileOfDraft(draft: Draft): Plain {
  const short = (p: DraftParameter) => (p.kind === 'choice' ? choicesOf(p.choices).map(scalar) : parameterOf(p));
  const pruner = prunerOf(draft);
  return {
    name: draft.name,
    ...(draft.project ? { project: draft.project } : {}),
    metric: draft.metric,
    direction: draft.direction,
    parameters: Object.fromEntries(draft.parameters.filter((p) => p.name.trim()).map((p) => [p.name.trim(), short(p)])),
    ...(pruner ? { pruner } : {}),
    trials: Number(draft.trials) || undefined,
    ...(draft.repeats !== '1' ? { repeats: Number(draft.repeats) || undefined } : {}),
    concurrency: Number(draft.concurrency) || undefined,
    ...(draft.command.trim() ? { command: draft.command } : {}),
    ...(draft.image.trim() ? { image: draft.image } : {}),
    ...(Number(draft.gpus) > 0 ? { gpu: Number(draft.gpus) } : {}),
  };
}

/** The command with a place for every parameter that it does not name yet. */
export function missingPlaces(draft: Draft): string[] {
  if (!draft.command.trim()) return [];
  const names = draft.parameters.map((p) => p.name.trim()).filter(Boolean);
  return names.filter((name) => !draft.command.includes(`\${${name}}`));
}
