// Forms described as data: a list of fields, each a path into the object that is edited.
import { Plus, X } from '@/ui/icons';
import { Fragment, useState, type ReactNode } from 'react';
import { ApiError, type Issue } from '@/api/client';
import { at, put, textAt, type Spec } from '@/lib/paths';
import { Button, IconButton } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Check, DurationInput, Field } from '@/ui/field';
import { ErrorNotice } from '@/ui/state';

export interface FieldSpec {
  path: string;
  label: string;
  kind?: 'text' | 'area' | 'number' | 'select' | 'check' | 'pairs' | 'list' | 'secret' | 'time' | 'duration';
  options?: [value: string, label: string][];
  hint?: string;
  placeholder?: string;
  required?: boolean;
  mono?: boolean;
  /** Values that are likely meant. */
  suggestions?: string[];
  when?: (value: Spec) => boolean;
  /** The two names of a pair; name and value unless said. */
  pair?: [string, string];
}

interface OneProps {
  field: FieldSpec;
  value: Spec;
  onChange: (value: Spec) => void;
  /** What the server said about it. */
  error?: string;
}

const TYPES: Partial<Record<NonNullable<FieldSpec['kind']>, string>> = { number: 'number', secret: 'password', time: 'datetime-local' };

function One({ field, value, onChange, error }: OneProps) {
  const set = (next: unknown) => onChange(put(value, field.path, next));
  const text = textAt(value, field.path);
  const common = { name: field.path, 'aria-required': field.required, placeholder: field.placeholder };
  const { required } = field;
  switch (field.kind) {
    case 'check':
      return <Check label={field.label} hint={field.hint} checked={Boolean(at(value, field.path))} onChange={(on) => set(on || undefined)} />;
    case 'pairs':
      return <Pairs field={field} value={value} onChange={onChange} />;
    case 'select':
      return (
        <Field label={field.label} hint={field.hint} error={error} required={required}>
          <select className="select" {...common} value={text} onChange={(e) => set(e.target.value)}>
            {field.options?.map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </Field>
      );
    case 'area':
      return (
        <Field label={field.label} hint={field.hint} error={error} required={required}>
          <textarea className={`textarea ${field.mono ? 'mono' : ''}`} rows={field.mono ? 14 : undefined} {...common} value={text} spellCheck={!field.mono} onChange={(e) => set(e.target.value)} />
        </Field>
      );
    case 'duration':
      return (
        <Field label={field.label} hint={field.hint ?? 'Such as 30m, 2h or 1d. Empty: no limit.'} error={error} required={required}>
          <DurationInput name={field.path} seconds={at(value, field.path)} onChange={set} />
        </Field>
      );
    case 'list':
      return (
        <Field label={field.label} hint={field.hint ?? 'Separated by commas.'} error={error} required={required}>
          <input className="input" {...common} defaultValue={((at(value, field.path) as string[] | undefined) ?? []).join(', ')} onChange={(e) => set(e.target.value.split(',').map((t) => t.trim()).filter(Boolean))} />
        </Field>
      );
    default: {
      const type = TYPES[field.kind ?? 'text'] ?? 'text';
      const read = (input: string) => (field.kind === 'number' && input !== '' ? Number(input) : input);
      return (
        <Field label={field.label} hint={field.hint} error={error} required={required}>
          <input className={`input ${field.mono ? 'mono' : ''}`} type={type} step={field.kind === 'time' ? undefined : 'any'} list={field.suggestions?.length ? `list-${field.path}` : undefined} autoComplete={field.kind === 'secret' ? 'new-password' : 'off'} {...common} value={text} onChange={(e) => set(read(e.target.value))} />
        </Field>
      );
    }
  }
}

function Pairs({ field, value, onChange }: OneProps) {
  const [first, second] = field.pair ?? ['name', 'value'];
  const list = (at(value, field.path) as Spec[] | undefined) ?? [];
  const set = (next: Spec[]) => onChange(put(value, field.path, next));
  const edit = (i: number, key: string, text: string) => set(list.map((item, n) => (n === i ? { ...item, [key]: text } : item)));
  return (
    <fieldset className="stack tight">
      <legend className="field-label">{field.label}</legend>
      {list.map((item, i) => (
        <div className="row" key={i}>
          <input className="input mono" aria-label={`${first} ${i + 1}`} placeholder={first} value={String(item[first] ?? '')} onChange={(e) => edit(i, first, e.target.value)} />
          <input className="input mono" aria-label={`${second} ${i + 1}`} placeholder={second} value={String(item[second] ?? '')} onChange={(e) => edit(i, second, e.target.value)} />
          <IconButton small label="Remove" icon={<X size={14} />} onClick={() => set(list.filter((_, n) => n !== i))} />
        </div>
      ))}
      <div>
        <Button small icon={<Plus size={13} />} onClick={() => set([...list, { [first]: '', [second]: '' }])}>
          Add
        </Button>
      </div>
    </fieldset>
  );
}

const inUse = (fields: FieldSpec[], value: Spec) => fields.filter((field) => !field.when || field.when(value));
const issueFor = (field: FieldSpec, issues: Issue[]) => issues.find((issue) => issue.field === field.path)?.details;

/** Required fields that hold nothing, each with what to do: all at once, not one per try. */
export function gapsOf(fields: FieldSpec[], value: Spec): Issue[] {
  return inUse(fields, value)
    .filter((field) => field.required && textAt(value, field.path).trim() === '')
    .map((field) => ({ field: field.path, details: field.kind === 'select' ? 'Choose one.' : 'Fill this in.' }));
}

interface EntityFieldsProps {
  fields: FieldSpec[];
  value: Spec;
  onChange: (value: Spec) => void;
  issues?: Issue[];
}

export function EntityFields({ fields, value, onChange, issues = [] }: EntityFieldsProps) {
  return (
    <>
      {inUse(fields, value).map((field) => (
        <Fragment key={field.path}>
          <One field={field} value={value} onChange={onChange} error={issueFor(field, issues)} />
          {field.suggestions?.length ? (
            <datalist id={`list-${field.path}`}>
              {field.suggestions.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          ) : null}
        </Fragment>
      ))}
    </>
  );
}

interface EntityDialogProps {
  title: string;
  fields: FieldSpec[];
  initial: Spec;
  action?: string;
  wide?: boolean;
  save: (value: Spec) => Promise<unknown>;
  onClose: () => void;
  /** What decides which fields there are: it comes first. */
  lead?: (value: Spec, onChange: (value: Spec) => void) => ReactNode;
  /** More to edit than the fields can say. */
  extra?: (value: Spec, onChange: (value: Spec) => void) => ReactNode;
}

// A box to tick and a list of pairs have no place for it.
const canShow = (field: FieldSpec) => field.kind !== 'check' && field.kind !== 'pairs';

/** A form in a dialog. A refusal is shown on its fields and nothing typed is lost. */
export function EntityDialog({ title, fields, initial, action = 'Save', wide, save, onClose, lead, extra }: EntityDialogProps) {
  const [value, setValue] = useState(initial);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [gaps, setGaps] = useState<Issue[]>([]);
  const left = gaps.filter((gap) => textAt(value, gap.field).trim() === '');
  const issues = [...left, ...(error instanceof ApiError ? error.issues : [])];
  const marked = inUse(fields, value).filter((field) => canShow(field) && issueFor(field, issues) !== undefined);
  const submit = async () => {
    const missing = gapsOf(fields, value);
    setGaps(missing);
    setError(null);
    if (missing.length > 0) return;
    setBusy(true);
    try {
      await save(value);
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      wide={wide}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" disabled={busy}>
            {busy ? 'Saving…' : action}
          </Button>
        </>
      }
    >
      <div className="form">
        {lead?.(value, setValue)}
        <EntityFields fields={fields} value={value} onChange={setValue} issues={issues} />
        {extra?.(value, setValue)}
        <ErrorNotice error={error} shown={marked.map((field) => field.path)} />
      </div>
    </Dialog>
  );
}
