// The selection over all plots, in words, and a way to select without a pointer.
import { useState } from 'react';
import { plural } from '@/lib/quantity';
import { countIn, rangeText } from '@/pages/studies/brush';
import type { Field } from '@/pages/studies/fields';
import type { View } from '@/pages/studies/view';
import { Button } from '@/ui/button';
import { Field as FormField } from '@/ui/field';
import { ListFilter, X } from '@/ui/icons';
import { Popover } from '@/ui/popover';

export function BrushBar({ view }: { view: View }) {
  const { ranges, fields, mask, trials } = view;
  return (
    <div className="row wrap brush-bar" role="group" aria-label="Selected trials">
      <Popover label="Select trials" trigger={<Button small icon={<ListFilter size={14} aria-hidden />}>Select trials</Button>}>
        <RangeForm view={view} />
      </Popover>
      {mask ? (
        <>
          <span className="small strong" role="status">
            {countIn(mask).toLocaleString('en')} of {plural(trials.count, 'trial')} selected
          </span>
          {ranges.map((range) => {
            const field = fields.all.get(range.field);
            if (!field) return null;
            const text = rangeText(field, range);
            return (
              <span key={range.field} className="chip">
                <span className="clip">{text}</span>
                <button type="button" aria-label={`Remove the range ${text}`} onClick={() => view.setRanges(ranges.filter((r) => r !== range))}>
                  <X size={12} />
                </button>
              </span>
            );
          })}
          <Button small tone="quiet" onClick={() => view.setRanges([])}>
            Clear selection
          </Button>
        </>
      ) : (
        <span className="small muted">Draw over a plot to select trials in all plots and in the table.</span>
      )}
    </div>
  );
}

function RangeForm({ view }: { view: View }) {
  const offered = [...view.fields.all.values()].filter((f) => f.id !== 'newest');
  const [id, setId] = useState(view.fields.objectives[0]?.id ?? 'number');
  const [low, setLow] = useState('');
  const [high, setHigh] = useState('');
  const field = view.fields.all.get(id) as Field;
  const add = () => view.brush([{ field: id, low: low === '' ? -Number.MAX_VALUE : Number(low), high: high === '' ? Number.MAX_VALUE : Number(high) }]);
  const bad = (low !== '' && Number.isNaN(Number(low))) || (high !== '' && Number.isNaN(Number(high)));
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (!bad) add();
      }}
    >
      <FormField label="Column">
        <select className="select" value={id} onChange={(e) => (setId(e.target.value), setLow(''), setHigh(''))}>
          {offered.map((one) => (
            <option key={one.id} value={one.id}>
              {one.label}
            </option>
          ))}
        </select>
      </FormField>
      {field.scale === 'choice' ? (
        <FormField label="Is">
          <select className="select" value={low} onChange={(e) => (setLow(e.target.value), setHigh(e.target.value))}>
            <option value="">any</option>
            {field.choices.map((choice, i) => (
              <option key={choice} value={i}>
                {choice}
              </option>
            ))}
          </select>
        </FormField>
      ) : (
        <>
          <FormField label="From">
            <input className="input" inputMode="decimal" value={low} placeholder={field.text(field.low)} onChange={(e) => setLow(e.target.value)} />
          </FormField>
          <FormField label="To">
            <input className="input" inputMode="decimal" value={high} placeholder={field.text(field.high)} onChange={(e) => setHigh(e.target.value)} />
          </FormField>
        </>
      )}
      <Button type="submit" small tone="primary" disabled={bad}>
        Select
      </Button>
    </form>
  );
}
