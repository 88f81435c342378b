// A configuration that a person types. Pure.
import type { Study, StudyParameter } from '@/api/studies';
import { choiceTexts, isConstant } from '@/pages/studies/fields';

export type Typed = Record<string, string>;

const isNumber = (p: StudyParameter) => p.type === 'float' || p.type === 'int' || (!p.type && !p.choices && !isConstant(p));

/** Whether a parameter exists, given what its parent is. */
export function exists(spec: Study['spec'], p: StudyParameter, typed: Typed): boolean {
  if (!p.when) return true;
  const parent = spec.parameters.find((one) => one.name === p.when?.parameter);
  if (parent && !exists(spec, parent, typed)) return false;
  const texts = p.when.values.map((v) => (typeof v === 'string' ? v : JSON.stringify(v)));
  const value = parent && isConstant(parent) ? parent.value : typed[p.when.parameter];
  return texts.includes(typeof value === 'string' ? value : JSON.stringify(value));
}

export const asked = (spec: Study['spec'], typed: Typed) => spec.parameters.filter((p) => !isConstant(p) && exists(spec, p, typed));

/** The parameters as the API takes them; the names of those that are missing or no number. */
export function configuration(spec: Study['spec'], typed: Typed): { parameters: Record<string, unknown>; wrong: string[] } {
  const parameters: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const p of spec.parameters) {
    if (isConstant(p)) parameters[p.name] = p.value;
    if (isConstant(p) || !exists(spec, p, typed)) continue;
    const text = (typed[p.name] ?? '').trim();
    if (isNumber(p)) {
      if (text === '' || Number.isNaN(Number(text))) wrong.push(p.name);
      else parameters[p.name] = Number(text);
    } else {
      const at = choiceTexts(p).indexOf(text);
      if (at < 0) wrong.push(p.name);
      else parameters[p.name] = p.choices?.[at];
    }
  }
  return { parameters, wrong };
}

/** A configuration of the server, as it would be typed. */
export function typedFrom(parameters: Record<string, unknown>): Typed {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]));
}

export function rangeHint(p: StudyParameter): string {
  if (p.choices) return '';
  const ends = p.low !== undefined && p.low !== null && p.high !== undefined && p.high !== null ? `${p.low} to ${p.high}` : '';
  return [p.type === 'int' ? 'whole number' : '', ends].filter(Boolean).join(', ');
}
