import { parseDocument, stringify } from 'yaml';
import { isType, type Draft, type Spec } from '@/pages/new-workload/draft';

export function toYaml(draft: Draft): string {
  return stringify({ kind: draft.type, metadata: { name: draft.name, project: draft.project }, spec: draft.spec }, { lineWidth: 0 });
}

export type Parsed = { ok: true; draft: Draft } | { ok: false; message: string };
const no = (message: string): Parsed => ({ ok: false, message });

const isObject = (value: unknown): value is Spec => typeof value === 'object' && value !== null && !Array.isArray(value);

export function fromYaml(text: string): Parsed {
  const document = parseDocument(text, { strict: true });
  const problem = document.errors[0];
  if (problem) return no(problem.message.split('\n')[0] ?? 'this is no YAML');
  const value: unknown = document.toJS({ maxAliasCount: 20 });
  if (!isObject(value)) return no('the file must hold kind, metadata and spec');
  const extra = Object.keys(value).find((key) => !['kind', 'metadata', 'spec', 'name'].includes(key));
  if (extra) return no(`'${extra}' is not known here; there are kind, metadata and spec`);
  if (!isType(value.kind)) return no("kind must be Workspace, Training, Distributed or Inference");
  const meta = isObject(value.metadata) ? value.metadata : {};
  const spec = value.spec ?? {};
  if (!isObject(spec)) return no('spec must hold fields');
  return { ok: true, draft: { type: value.kind, name: String(meta.name ?? value.name ?? ''), project: String(meta.project ?? ''), spec } };
}
