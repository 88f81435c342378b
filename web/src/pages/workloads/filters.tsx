import { ListFilter, X } from '@/ui/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries, type Workload } from '@/api/queries';
import { formatCondition, OPERATORS, type Condition, type ListState, type Operator } from '@/lib/filter';
import { SETS } from '@/pages/workloads/query';
import { Button } from '@/ui/button';
import { Check, Field } from '@/ui/field';
import { Popover } from '@/ui/popover';

const FIELDS: [string, string][] = [
  ['name', 'Name'],
  ['submittedBy', 'Submitted by'],
  ['departmentName', 'Department'],
  ['nodepool', 'Node pool'],
  ['priorityClassName', 'Priority'],
  ['createdAt', 'Created'],
  ['completedAt', 'Ended'],
  ['distributedFramework', 'Framework'],
];
const WORDS: Record<Operator, string> = {
  '==': 'is',
  '!=': 'is not',
  '=@': 'contains',
  '!@': 'does not contain',
  '=^': 'starts with',
  '=$': 'ends with',
  '>=': 'at least',
  '<=': 'at most',
};
const fieldName = (field: string) => FIELDS.find(([id]) => id === field)?.[1] ?? field;

type Change = (part: Partial<ListState>) => void;

function SetFilter({ field, label, state, change }: { field: 'phase' | 'type'; label: string; state: ListState; change: Change }) {
  const chosen = state.any[field] ?? [];
  const toggle = (value: string, on: boolean) =>
    change({ any: { ...state.any, [field]: on ? [...chosen, value] : chosen.filter((v) => v !== value) } });
  return (
    <Popover label={label} trigger={<Button>{chosen.length > 0 ? `${label}: ${chosen.length === 1 ? chosen[0] : chosen.length}` : label}</Button>}>
      <div className="stack tight">
        {SETS[field].map((value) => (
          <Check key={value} label={value} checked={chosen.includes(value)} onChange={(on) => toggle(value, on)} />
        ))}
      </div>
    </Popover>
  );
}

const isAmount = (field: string) => /At$/.test(field);
/** Names have no order, and amounts hold no text. */
const fits = (op: Operator, field: string) => (isAmount(field) ? ['==', '>=', '<='].includes(op) : !['>=', '<='].includes(op));

/** Values that there are, taken from the newest work. */
function Suggestions({ field }: { field: string }) {
  const recent = useQuery(queries.workloads({ sortBy: 'createdAt', sortOrder: 'desc', limit: 200 }));
  const read: Record<string, (w: Workload) => string | undefined> = {
    submittedBy: (w) => w.submittedBy,
    departmentName: (w) => w.departmentName,
    nodepool: (w) => w.requestedNodePools?.[0],
    priorityClassName: (w) => w.priorityClassName,
    distributedFramework: (w) => w.distributedFramework,
  };
  const value = read[field];
  const values = value ? [...new Set((recent.data?.workloads ?? []).map(value).filter(Boolean))].sort() : [];
  return (
    <datalist id="filter-values">
      {values.map((one) => (
        <option key={one} value={one} />
      ))}
    </datalist>
  );
}

function AddFilter({ state, change }: { state: ListState; change: Change }) {
  const [draft, setDraft] = useState<Condition>({ field: 'submittedBy', op: '=@', value: '' });
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
          <select className="select" value={draft.field} onChange={(e) => setDraft({ ...draft, field: e.target.value, op: fits(draft.op, e.target.value) ? draft.op : isAmount(e.target.value) ? '>=' : '=@' })}>
            {FIELDS.map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Condition">
          <select className="select" value={draft.op} onChange={(e) => setDraft({ ...draft, op: e.target.value as Operator })}>
            {OPERATORS.filter((op) => fits(op, draft.field)).map((op) => (
              <option key={op} value={op}>
                {WORDS[op]}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Value" hint={/At$/.test(draft.field) ? 'A time such as 2026-11-15T08:00:00Z' : undefined}>
          <input className="input" value={draft.value} list="filter-values" onChange={(e) => setDraft({ ...draft, value: e.target.value })} />
        </Field>
        <Suggestions field={draft.field} />
        <Button type="submit" tone="primary">
          Add
        </Button>
      </form>
    </Popover>
  );
}

export function Filters({ state, change }: { state: ListState; change: Change }) {
  return (
    <>
      <SetFilter field="phase" label="Status" state={state} change={change} />
      <SetFilter field="type" label="Type" state={state} change={change} />
      <AddFilter state={state} change={change} />
    </>
  );
}

export function Chips({ state, change }: { state: ListState; change: Change }) {
  const sets = Object.entries(state.any).filter(([, values]) => values.length > 0);
  if (state.conditions.length === 0 && sets.length === 0) return null;
  return (
    <div className="row wrap" aria-label="Filters in use" role="group">
      {sets.map(([field, values]) => (
        <Chip key={field} text={`${field === 'phase' ? 'Status' : 'Type'} is ${values.join(' or ')}`} onRemove={() => change({ any: { ...state.any, [field]: [] } })} />
      ))}
      {state.conditions.map((c, index) => (
        <Chip
          key={formatCondition(c)}
          text={`${fieldName(c.field)} ${WORDS[c.op]} ${c.value}`}
          onRemove={() => change({ conditions: state.conditions.filter((_, i) => i !== index) })}
        />
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
