// A sweep: one workload for each combination of values, as `gpuyard submit --param` makes them.
import { at, put, textAt, variables, type Spec } from '@/pages/new-workload/draft';

export interface Parameter {
  name: string;
  values: string[];
}

export const MOST_ITEMS = 200;

/** "lr=0.1,0.01; bs=16,32". Null where it cannot be read; none for an empty text. */
export function parseSweep(text: string): Parameter[] | null {
  const parts = text.split(/[;\n]/).map((part) => part.trim()).filter(Boolean);
  const parameters = parts.map((part) => {
    const [, name = '', list = ''] = /^([A-Za-z_]\w*)\s*=\s*(.+)$/.exec(part) ?? [];
    return { name, values: list.split(',').map((value) => value.trim()).filter(Boolean) };
  });
  const valid = parameters.every((p) => p.name !== '' && p.values.length > 0) && new Set(parameters.map((p) => p.name)).size === parameters.length;
  return valid ? parameters : null;
}

export const sizeOf = (parameters: Parameter[]) => (parameters.length === 0 ? 0 : parameters.reduce((all, p) => all * p.values.length, 1));

function combinations(parameters: Parameter[]): Record<string, string>[] {
  return parameters.reduce<Record<string, string>[]>((all, p) => all.flatMap((one) => p.values.map((value) => ({ ...one, [p.name]: value }))), [{}]);
}

/** "{lr}" becomes the value; "${lr}" is the shell's and stays. */
const filled = (text: string, values: Record<string, string>) => text.replace(/(?<!\$)\{(\w+)\}/g, (all, name: string) => values[name] ?? all);

export interface Item {
  name: string;
  spec: Spec;
}

export function itemsOf(name: string, spec: Spec, parameters: Parameter[], id: string): Item[] {
  const all = combinations(parameters);
  return all.map((values, index) => {
    const own = [...variables(spec), ...Object.entries(values).map(([key, value]) => ({ name: `PARAM_${key}`, value })), { name: 'GPUYARD_ARRAY_INDEX', value: String(index) }];
    let next = put(put(spec, 'environmentVariables', own), 'array', { id, index, size: all.length });
    for (const field of ['command', 'args']) if (at(spec, field)) next = put(next, field, filled(textAt(spec, field), values));
    return { name: `${name}-${index}`, spec: next };
  });
}
