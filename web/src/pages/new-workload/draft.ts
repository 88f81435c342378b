// What is about to be submitted. The API's own spec is the one truth: the form, the YAML and the
// command line are views of it, and fields that a view does not know are kept.
import { at, isObject, putAll, textAt, type Spec } from '@/lib/paths';
import { TYPES, type WorkloadType } from '@/pages/workloads/kinds';

export { at, put, putAll, textAt, type Spec } from '@/lib/paths';

export interface Draft {
  type: WorkloadType;
  name: string;
  /** By name, as in YAML and on the command line. */
  project: string;
  spec: Spec;
}

export const isType = (text: unknown): text is WorkloadType => TYPES.some((type) => type === text);

/** "0.5", "2" or "" out of the three fields that say it. */
export function gpuText(spec: Spec): string {
  const devices = Number(at(spec, 'compute.gpuDevicesRequest') ?? 0);
  const part = Number(at(spec, 'compute.gpuPortionRequest') ?? 1);
  if (!devices) return '';
  return devices === 1 && part < 1 ? String(part) : String(devices);
}

/** Null when the text is no amount of GPUs. */
export function putGpus(spec: Spec, text: string): Spec | null {
  const clear = { 'compute.gpuDevicesRequest': undefined, 'compute.gpuRequestType': undefined, 'compute.gpuPortionRequest': undefined };
  const amount = Number(text);
  if (text.trim() === '' || amount === 0) return putAll(spec, clear);
  if (!Number.isFinite(amount) || amount < 0 || (amount > 1 && !Number.isInteger(amount))) return null;
  return putAll(spec, {
    'compute.gpuDevicesRequest': amount < 1 ? 1 : amount,
    'compute.gpuRequestType': 'portion',
    'compute.gpuPortionRequest': amount < 1 ? amount : 1,
  });
}

export interface Variable {
  name: string;
  value: string;
}

export function variables(spec: Spec): Variable[] {
  const list = at(spec, 'environmentVariables');
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map((v) => ({ name: String(v.name ?? ''), value: String(v.value ?? '') }));
}

/** Why the draft cannot be sent yet; empty when it can. */
export function missing(draft: Draft): string[] {
  const gaps: string[] = [];
  if (!draft.name) gaps.push('a name');
  if (!draft.project) gaps.push('a project');
  if (!textAt(draft.spec, 'image') && !textAt(draft.spec, 'command')) gaps.push('an image or a command');
  if (draft.type === 'Distributed' && !at(draft.spec, 'numWorkers')) gaps.push('a number of workers');
  if (draft.type === 'Inference' && !at(draft.spec, 'servingPort.container')) gaps.push('a serving port');
  return gaps;
}

export const NAME_RULE = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A name out of what somebody typed: "My Notebook" becomes "my-notebook". */
export const slug = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63)
    .replace(/-+$/, '');
