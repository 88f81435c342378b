import { useState } from 'react';
import type { Run } from '@/api/runs';
import { formatCondition, type Condition, type ListState, type Operator } from '@/lib/filter';
import { SETS } from '@/pages/runs/query';
import { statusWord } from '@/pages/runs/status';
import { namesIn, ownTags } from '@/pages/runs/values';
import { Button } from '@/ui/button';
import { Check, Field } from '@/ui/field';
import { ListFilter, X } from '@/ui/icons';
import { Popover } from '@/ui/popover';

type Change = (part: Partial<ListState>) => void;

const OPERATORS: [Operator, string][] = [
  ['==', 'is'],
  ['!=', 'is not'],
  ['<=', 'at most'],
  ['>=', 'at least'],
  ['=@', 'contains'],
  ['=^', 'starts with'],
];
const WORDS = Object.fromEntries(OPERATORS) as Record<Operator, string>;
const isMetric = (field: string) => field.startsWith('metrics.');
const fits = (op: Operator, field: string) => !isMetric(field) || !['=@', '=^'].includes(op);

/** Everything the runs in view can be filtered by. */
export function fieldsIn(list: Run[]): string[] {
  return [
    'name',
    'userName',
    ...namesIn(list, (r) => r.metrics.map((m) => m.name)).map((name) => `metrics.${name}`),
    ...namesIn(list, (r) => Object.keys(r.params)).map((name) => `params.${name}`),
    ...namesIn(list, (r) => ownTags(r).map(([key]) => key)).map((name) => `tags.${name}`),
  ];
}

/** What runs can be put together by. */
export const groupFields = (list: Run[]): string[] => ['experimentName', 'userName', 'status', ...fieldsIn(list).filter((field) => /^(params|tags)\./.test(field))];

function StatusFilter({ state, change }: { state: ListState; change: Change }) {
  const chosen = state.any.status ?? [];
  const toggle = (value: string, on: boolean) => change({ any: { ...state.any, status: on ? [...chosen, value] : chosen.filter((v) => v !== value) } });
  return (
    <Popover label="Status" trigger={<Button>{chosen.length > 0 ? `Status: ${chosen.length === 1 ? statusWord(chosen[0] ?? '') : chosen.length}` : 'Status'}</Button>}>
      <div className="stack tight">
        {SETS.status.map((value) => (
          <Check key={value} label={statusWord(value)} checked={chosen.includes(value)} onChange={(on) => toggle(value, on)} />
        ))}
      </div>
    </Popover>
  );
}

function AddFilter({ state, change, fields }: { state: ListState; change: Change; fields: string[] }) {
  const [draft, setDraft] = useState<Condition>({ field: 'name', op: '=@', value: '' });
  const add = () => {
    if (!draft.value.trim()) return;
    change({ conditions: [...state.conditions, { ...draft, value: draft.value.trim() }] });
    setDraft({ ...draft, value: '' });
  };
  return (
    <Popover label="Add a filter" trigger={<Button icon={<ListFilter size={15} aria-hidden />}>Filter</Button>}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <Field label="Field">
          <select className="select" value={draft.field} onChange={(e) => setDraft({ ...draft, field: e.target.value, op: isMetric(e.target.value) ? '<=' : fits(draft.op, e.target.value) ? draft.op : '==' })}>
            {fields.map((field) => (
              <option key={field}>{field}</option>
            ))}
          </select>
        </Field>
        <Field label="Condition">
          <select className="select" value={draft.op} onChange={(e) => setDraft({ ...draft, op: e.target.value as Operator })}>
            {OPERATORS.filter(([op]) => fits(op, draft.field)).map(([op, words]) => (
              <option key={op} value={op}>
                {words}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Value">
          <input className="input" value={draft.value} onChange={(e) => setDraft({ ...draft, value: e.target.value })} />
        </Field>
        <Button type="submit" tone="primary">
          Add
        </Button>
      </form>
    </Popover>
  );
}

export function Filters({ state, change, fields }: { state: ListState; change: Change; fields: string[] }) {
  return (
    <>
      <StatusFilter state={state} change={change} />
      <AddFilter state={state} change={change} fields={fields} />
    </>
  );
}

export function Chips({ state, change }: { state: ListState; change: Change }) {
  const statuses = state.any.status ?? [];
  if (state.conditions.length === 0 && statuses.length === 0) return null;
  return (
    <div className="row wrap" aria-label="Filters in use" role="group">
      {statuses.length > 0 ? <Chip text={`Status is ${statuses.map(statusWord).join(' or ')}`} onRemove={() => change({ any: { ...state.any, status: [] } })} /> : null}
      {state.conditions.map((c, index) => (
        <Chip key={formatCondition(c)} text={`${c.field} ${WORDS[c.op] ?? c.op} ${c.value}`} onRemove={() => change({ conditions: state.conditions.filter((_, i) => i !== index) })} />
      ))}
      <Button small tone="quiet" onClick={() => change({ conditions: [], any: {}, search: '' })}>
        Clear
      </Button>
    </div>
  );
}

function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <span className="chip">
      <span className="clip">{text}</span>
      <button type="button" aria-label={`Remove the filter ${text}`} onClick={onRemove}>
        <X size={12} />
      </button>
    </span>
  );
}
