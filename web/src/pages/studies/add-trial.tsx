// A trial by hand: parameters that a person chooses, also with a result from elsewhere.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addTrial, type Study } from '@/api/studies';
import { asked, configuration, rangeHint, typedFrom, type Typed } from '@/pages/studies/by-hand';
import { choiceTexts } from '@/pages/studies/fields';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Check, Field } from '@/ui/field';
import { ErrorNotice } from '@/ui/state';
import { toast } from '@/ui/toast';

/** The best trial is a good beginning for a change by hand. */
const firstTyped = (study: Study, from?: Record<string, unknown>) => typedFrom(from ?? (study.best?.parameters as Record<string, unknown> | undefined) ?? {});

export function AddTrialDialog({ study, from, onClose }: { study: Study; from?: Record<string, unknown>; onClose: () => void }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState<Typed>(() => firstTyped(study, from));
  const [known, setKnown] = useState(false);
  const [results, setResults] = useState<string[]>(study.spec.objectives.map(() => ''));
  const [error, setError] = useState<unknown>(null);
  const { parameters, wrong } = configuration(study.spec, typed);
  const values = results.map(Number);
  const ready = wrong.length === 0 && (!known || results.every((text, i) => text.trim() !== '' && !Number.isNaN(values[i])));
  const save = async () => {
    try {
      const made = await addTrial(study.id, { parameters, ...(known ? { values } : {}) });
      toast(known ? `Trial ${made.number} is recorded` : `Trial ${made.number} is added`);
      await client.invalidateQueries({ queryKey: ['study'] });
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog
      title={`Add a trial to ${study.name}`}
      onClose={onClose}
      onSubmit={() => void (ready ? save() : undefined)}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" disabled={!ready}>
            {known ? 'Record it' : 'Add the trial'}
          </Button>
        </>
      }
    >
      <div className="stack">
        {asked(study.spec, typed).map((p) => (
          <Field key={p.name} label={p.name} required hint={rangeHint(p)} error={typed[p.name] && wrong.includes(p.name) ? 'This is not one of its values.' : null}>
            {p.choices ? (
              <select className="select" value={typed[p.name] ?? ''} onChange={(e) => setTyped({ ...typed, [p.name]: e.target.value })}>
                <option value="">choose</option>
                {choiceTexts(p).map((choice) => (
                  <option key={choice}>{choice}</option>
                ))}
              </select>
            ) : (
              <input className="input" inputMode="decimal" autoComplete="off" value={typed[p.name] ?? ''} onChange={(e) => setTyped({ ...typed, [p.name]: e.target.value })} />
            )}
          </Field>
        ))}
        <Check label="It has been run elsewhere" hint="its result is recorded, nothing is started" checked={known} onChange={setKnown} />
        {known
          ? study.spec.objectives.map((objective, i) => (
              <Field key={objective.metric} label={objective.metric} required>
                <input className="input" inputMode="decimal" autoComplete="off" value={results[i]} onChange={(e) => setResults(results.map((text, at) => (at === i ? e.target.value : text)))} />
              </Field>
            ))
          : null}
        {!known && !study.spec.workload ? <p className="small soft">This study starts nothing itself: a program has to run the trial and tell its result.</p> : null}
        <ErrorNotice error={error} />
      </div>
    </Dialog>
  );
}
