// Writing a report: its text on one side, how it will look on the other.
import { useQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import { queries } from '@/api/queries';
import { runs } from '@/api/runs';
import { writeBlock } from '@/pages/reports/block';
import { ReportBody } from '@/pages/reports/body';
import { namesIn } from '@/pages/runs/values';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { Leaving } from '@/ui/leaving';
import { ChartLine } from '@/ui/icons';
import { ErrorNotice } from '@/ui/state';

export interface ReportDraft {
  title: string;
  text: string;
  projectId: number;
}

interface Props {
  first: ReportDraft;
  /** A report stays in the project in which it was begun. */
  fixedProject: boolean;
  save: (draft: ReportDraft) => Promise<unknown>;
  cancel: () => void;
}

const MOST_BYTES = 256 * 1024;

export function ReportEditor({ first, fixedProject, save, cancel }: Props) {
  const [draft, setDraft] = useState(first);
  const change = useCallback((part: Partial<ReportDraft>) => setDraft((now) => ({ ...now, ...part })), []);
  const setProject = useCallback((projectId: number) => change({ projectId }), [change]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [adding, setAdding] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const done = useRef(false);
  const shown = useDeferredValue(draft.text);
  const touched = draft.text !== first.text || draft.title !== first.title;
  const submit = async () => {
    setBusy(true);
    setError(null);
    done.current = true;
    try {
      await save({ ...draft, title: draft.title.trim() });
    } catch (problem) {
      done.current = false;
      setError(problem);
      setBusy(false);
    }
  };
  const insert = (block: string) => {
    const at = area.current?.selectionEnd ?? draft.text.length;
    const [before, after] = [draft.text.slice(0, at), draft.text.slice(at)];
    change({ text: `${before}${before === '' || before.endsWith('\n\n') ? '' : '\n\n'}${block}\n${after.startsWith('\n') ? '' : '\n'}${after}` });
  };
  const tooLong = new TextEncoder().encode(draft.text).length > MOST_BYTES;
  return (
    <>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (draft.title.trim() && draft.projectId && !tooLong) void submit();
        }}
      >
        <div className="report-head">
          <Field label="Title" required>
            <input className="input" value={draft.title} maxLength={200} autoComplete="off" onChange={(e) => change({ title: e.target.value })} />
          </Field>
          {fixedProject ? null : <ProjectChoice value={draft.projectId} onChange={setProject} />}
        </div>
        <div className="report-edit">
          <div className="stack tight">
            <div className="row wrap">
              <label className="field-label grow" htmlFor="report-text">Markdown</label>
              <Button small icon={<ChartLine size={14} />} onClick={() => setAdding(true)}>
                Add a chart
              </Button>
            </div>
            <textarea id="report-text" ref={area} className="textarea mono" value={draft.text} spellCheck onChange={(e) => change({ text: e.target.value })} />
            {tooLong ? <div className="field-error">A report has at most 256 KiB.</div> : null}
          </div>
          <section className="card card-body report-preview" aria-label="Preview">
            <ReportBody text={shown} projectId={draft.projectId} />
          </section>
        </div>
        <ErrorNotice error={error} />
        <div className="row">
          <Button type="submit" tone="primary" disabled={busy || !draft.title.trim() || !draft.projectId || tooLong}>
            {busy ? 'Saving…' : 'Save'}
          </Button>
          <Button onClick={cancel}>Cancel</Button>
        </div>
      </form>
      {adding ? <ChartDialog projectId={draft.projectId} insert={insert} onClose={() => setAdding(false)} /> : null}
      <Leaving touched={touched} done={done} title="Leave without saving?">
        What was written since the last time it was saved is lost.
      </Leaving>
    </>
  );
}

function ProjectChoice({ value, onChange }: { value: number; onChange: (id: number) => void }) {
  const known = useQuery(queries.projects);
  const projects = known.data ?? [];
  const only = projects[0]?.id;
  useEffect(() => {
    if (!value && only) onChange(Number(only));
  }, [value, only, onChange]);
  return (
    <Field label="Project" hint="Its members read the report." error={known.isSuccess && projects.length === 0 ? 'You are not in a project yet, so nobody could read it.' : null}>
      <select className="select" value={value} onChange={(e) => onChange(Number(e.target.value))}>
        {projects.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** The most usual chart: one metric of the newest runs, or of those that a filter chooses. */
function ChartDialog({ projectId, insert, onClose }: { projectId: number; insert: (block: string) => void; onClose: () => void }) {
  const known = useQuery(runs.list({ projectId, limit: 100, sortBy: 'startedAt', sortOrder: 'desc' })).data?.runs ?? [];
  const metrics = namesIn(known, (run) => run.metrics.map((m) => m.name));
  const params = namesIn(known, (run) => Object.keys(run.params)).map((name) => `params.${name}`);
  const [chart, setChart] = useState({ kind: 'line' as 'line' | 'bar' | 'scatter', metric: '', x: '', filter: '', group: '', limit: 10 });
  const metric = chart.metric || metrics[0] || 'loss';
  const x = chart.x || params[0] || 'params.lr';
  const add = () => {
    insert(writeBlock({ kind: chart.kind, metrics: [metric], filter: chart.filter.trim(), group: chart.group, limit: chart.limit, ...(chart.kind === 'scatter' ? { x } : {}) }));
    onClose();
  };
  const choice = (label: string, value: string, options: string[], set: (value: string) => void, none?: string) => (
    <Field label={label}>
      <select className="select" value={value} onChange={(e) => set(e.target.value)}>
        {none ? <option value="">{none}</option> : null}
        {options.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </Field>
  );
  return (
    <Dialog
      title="Add a chart"
      onClose={onClose}
      onSubmit={add}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary">
            Add
          </Button>
        </>
      }
    >
      <div className="stack">
        {choice('Kind', chart.kind, ['line', 'bar', 'scatter'], (kind) => setChart({ ...chart, kind: kind as 'line' }))}
        {choice('Metric', metric, metrics.length > 0 ? metrics : ['loss'], (one) => setChart({ ...chart, metric: one }))}
        {chart.kind === 'scatter' ? choice('Across', x, params.length > 0 ? params : [x], (one) => setChart({ ...chart, x: one })) : null}
        {chart.kind === 'scatter' ? null : choice('Group by', chart.group, ['experimentName', 'userName', ...params], (group) => setChart({ ...chart, group }), 'each run')}
        <Field label="Filter" hint="Such as params.model==resnet,metrics.acc>=0.9. Empty: the newest runs.">
          <input className="input mono" value={chart.filter} autoComplete="off" onChange={(e) => setChart({ ...chart, filter: e.target.value })} />
        </Field>
        <Field label="At most so many runs">
          <input className="input" type="number" min={1} max={50} value={chart.limit} onChange={(e) => setChart({ ...chart, limit: Math.min(50, Math.max(1, Number(e.target.value) || 1)) })} />
        </Field>
      </div>
    </Dialog>
  );
}
