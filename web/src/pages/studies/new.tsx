// A form for a study, and the same as a file for the command line.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { stringify } from 'yaml';
import { queries, useAllowed } from '@/api/queries';
import { createStudy } from '@/api/studies';
import { bodyOf, emptyParameter, fileOfDraft, firstDraft, missingPlaces, parameterProblem, problems, type Draft, type DraftParameter } from '@/pages/studies/draft';
import { useProject } from '@/shell/project';
import { Button, IconButton } from '@/ui/button';
import { CodeBox } from '@/ui/copy';
import { Check, Field, Segments } from '@/ui/field';
import { Plus, Trash2 } from '@/ui/icons';
import { Leaving } from '@/ui/leaving';
import { NoRight } from '@/ui/no-right';
import { Card, Page } from '@/ui/page';
import { ErrorNotice, Notice } from '@/ui/state';
import { toast } from '@/ui/toast';
import '@/pages/studies/studies.css';

interface Part {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
}

function Text({ label, name, hint, required, draft, change, ...rest }: Part & { label: string; name: keyof Draft; hint?: string; required?: boolean; placeholder?: string; inputMode?: 'decimal' | 'numeric' }) {
  return (
    <Field label={label} hint={hint} required={required}>
      <input className="input" autoComplete="off" name={name} value={draft[name] as string} onChange={(e) => change({ [name]: e.target.value })} {...rest} />
    </Field>
  );
}

function Aim(part: Part) {
  const { draft, change } = part;
  const projects = useQuery(queries.projects);
  return (
    <Card title="Aim">
      <div className="form-grid">
        <Text {...part} label="Name" name="name" required placeholder="ppo" />
        <Field label="Project" required>
          <select className="select" value={draft.project} onChange={(e) => change({ project: e.target.value })}>
            <option value="">choose</option>
            {(projects.data ?? []).map((p) => (
              <option key={p.id}>{p.name}</option>
            ))}
          </select>
        </Field>
        <Text {...part} label="Metric" name="metric" required hint="A trial prints it, such as {&quot;step&quot;: 3, &quot;loss&quot;: 0.41}" />
        <div className="field">
          <span className="field-label">Better is</span>
          <Segments label="Better is" value={draft.direction} options={[['minimize', 'less'], ['maximize', 'more']]} onChange={(direction) => change({ direction })} />
        </div>
      </div>
    </Card>
  );
}

function Runs(part: Part) {
  const gaps = missingPlaces(part.draft);
  return (
    <Card title="A trial">
      <div className="stack">
        <Field label="Command" required hint={'${name} stands for the value of a parameter; GPUYARD_PARAMS has all of them as JSON'}>
          <textarea className="input mono" rows={2} spellCheck={false} name="command" value={part.draft.command} placeholder={'python train.py --lr ${lr}'} onChange={(e) => part.change({ command: e.target.value })} />
        </Field>
        {gaps.length > 0 ? <p className="small soft">The command does not name {gaps.map((name) => `\${${name}}`).join(', ')}; the program then has to read GPUYARD_PARAMS.</p> : null}
        <div className="form-grid">
          <Text {...part} label="Image" name="image" placeholder="none: a plain process" />
          <Text {...part} label="GPUs" name="gpus" inputMode="decimal" hint="1, 2 or a part such as 0.5; 0 for none" />
        </div>
      </div>
    </Card>
  );
}

function Budget(part: Part) {
  const { draft, change } = part;
  return (
    <Card title="Search">
      <div className="form-grid">
        <Text {...part} label="Configurations" name="trials" inputMode="numeric" required />
        <Text {...part} label="At the same time" name="concurrency" inputMode="numeric" required />
        <Text {...part} label="Runs of each" name="repeats" inputMode="numeric" required hint="more than one when results vary" />
        <Field label="Stop hopeless trials early" hint="needs values on the way">
          <select className="select" value={draft.pruner} onChange={(e) => change({ pruner: e.target.value })}>
            <option value="none">no</option>
            <option value="median">worse than the median</option>
            <option value="asha">ASHA: only the best third goes on</option>
            <option value="hyperband">Hyperband</option>
            <option value="patient">no progress any more</option>
          </select>
        </Field>
        {draft.pruner === 'asha' || draft.pruner === 'hyperband' ? <Text {...part} label="Steps of a whole trial" name="maxSteps" inputMode="numeric" placeholder="100" /> : null}
      </div>
    </Card>
  );
}

function Parameters({ draft, change }: Part) {
  const set = (at: number, part: Partial<DraftParameter>) => change({ parameters: draft.parameters.map((p, i) => (i === at ? { ...p, ...part } : p)) });
  return (
    <Card title="Parameters">
      <div className="stack">
        {draft.parameters.map((p, i) => (
          <fieldset key={i} className="parameter-row" aria-label={`Parameter ${i + 1}`}>
            <Field label="Name">
              <input className="input" autoComplete="off" value={p.name} onChange={(e) => set(i, { name: e.target.value })} />
            </Field>
            <Field label="Kind">
              <select className="select" value={p.kind} onChange={(e) => set(i, { kind: e.target.value as DraftParameter['kind'] })}>
                <option value="float">number</option>
                <option value="int">whole number</option>
                <option value="choice">choices</option>
              </select>
            </Field>
            {p.kind === 'choice' ? (
              <Field label="Choices">
                <input className="input" autoComplete="off" value={p.choices} placeholder="adam, sgd" onChange={(e) => set(i, { choices: e.target.value })} />
              </Field>
            ) : (
              <>
                <Field label="From">
                  <input className="input" inputMode="decimal" autoComplete="off" value={p.low} onChange={(e) => set(i, { low: e.target.value })} />
                </Field>
                <Field label="To">
                  <input className="input" inputMode="decimal" autoComplete="off" value={p.high} onChange={(e) => set(i, { high: e.target.value })} />
                </Field>
                <Check label="log scale" checked={p.log} onChange={(log) => set(i, { log })} />
              </>
            )}
            <IconButton label={`Remove ${p.name || 'the parameter'}`} icon={<Trash2 size={15} />} onClick={() => change({ parameters: draft.parameters.filter((_, at) => at !== i) })} />
            {p.name && parameterProblem(p) && (p.low || p.high || p.choices) ? <div className="field-error whole">{parameterProblem(p)}</div> : null}
          </fieldset>
        ))}
        <div>
          <Button icon={<Plus size={15} />} onClick={() => change({ parameters: [...draft.parameters, emptyParameter()] })}>
            Add a parameter
          </Button>
        </div>
      </div>
    </Card>
  );
}

export default function NewStudy() {
  const known = useQuery(queries.permissions).isSuccess;
  const allowed = useAllowed();
  return !known || allowed('trainings', 'create') ? <Maker /> : <NoRight title="New study" what="begin a study" />;
}

function Maker() {
  const [draft, setDraft] = useState(firstDraft);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  const projects = useQuery(queries.projects);
  const [inView] = useProject();
  useEffect(() => {
    const usual = projects.data?.find((p) => p.id === inView) ?? (projects.data?.length === 1 ? projects.data[0] : undefined);
    if (usual) setDraft((d) => (d.project ? d : { ...d, project: usual.name }));
  }, [projects.data, inView]);
  const done = useRef(false);
  const gaps = problems(draft);
  const project = projects.data?.find((p) => p.name === draft.project);
  const part: Part = { draft, change: (change) => setDraft((d) => ({ ...d, ...change })) };
  const begin = async () => {
    setBusy(true);
    setError(null);
    try {
      const made = await createStudy(bodyOf(draft, project?.id ?? ''));
      done.current = true;
      toast(`${made.name} begins`);
      navigate(`/studies/${made.id}`);
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <Page title="New study" sub="A search for the best parameters of a command.">
      <form
        className="grid wide-left"
        onSubmit={(event) => {
          event.preventDefault();
          if (gaps.length === 0 && project && !busy) void begin();
        }}
      >
        <div className="stack">
          <Aim {...part} />
          <Parameters {...part} />
          <Runs {...part} />
          <Budget {...part} />
        </div>
        <div className="stack study-side">
          <Card title="As a file" actions={<span className="tiny muted">for gpuyard tune study.yaml</span>}>
            <CodeBox label="study.yaml" text={stringify(fileOfDraft(draft), { lineWidth: 0 })} />
          </Card>
          {gaps.length > 0 ? <Notice>Still needed: {gaps[0]}{gaps.length > 1 ? ` And ${gaps.length - 1} more.` : ''}</Notice> : null}
          <ErrorNotice error={error} />
          <div className="row">
            <Button type="submit" tone="primary" disabled={gaps.length > 0 || !project || busy}>
              {busy ? 'Working…' : 'Begin the study'}
            </Button>
            <Button onClick={() => navigate('/studies')}>Cancel</Button>
          </div>
          <p className="small soft">The file can say more: several objectives, conditions, constraints, other searches. The chapter “Tuning” of the documentation has all of it.</p>
        </div>
      </form>
      <Leaving touched={draft.name !== '' && draft.command !== ''} done={done} title="Leave without beginning the study?">
        What you filled in is lost.
      </Leaving>
    </Page>
  );
}
