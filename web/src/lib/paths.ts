// Reading and changing plain objects by dotted paths; a change makes a copy.

export type Spec = Record<string, unknown>;

export const isObject = (value: unknown): value is Spec => typeof value === 'object' && value !== null && !Array.isArray(value);

export function at(spec: Spec, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), spec);
}

export const textAt = (spec: Spec, path: string): string => {
  const value = at(spec, path);
  return value === undefined || value === null ? '' : String(value);
};

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);

/** A copy with one field set; empty values and empty parents are taken out. */
export function put(spec: Spec, path: string, value: unknown): Spec {
  const [key = '', ...rest] = path.split('.');
  const old = spec[key];
  const next = rest.length === 0 ? value : put(isObject(old) ? old : {}, rest.join('.'), value);
  const copy = { ...spec };
  if (isEmpty(next)) delete copy[key];
  else copy[key] = next;
  return copy;
}

export function putAll(spec: Spec, values: Record<string, unknown>): Spec {
  return Object.entries(values).reduce((all, [path, value]) => put(all, path, value), spec);
}
