// The parts of the form. Each edits the spec through paths; none keeps values of its own.
import { MOST_ITEMS, parseSweep, sizeOf } from '@/pages/new-workload/sweep';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Plus, X } from '@/ui/icons';
import { queries } from '@/api/queries';
import { plural, quotaWords } from '@/lib/quantity';
import { PRIORITIES } from '@/pages/new-workload/priorities';
import { AssetCards, DataCards } from '@/pages/new-workload/cards';
import { at, gpuText, NAME_RULE, put, putGpus, slug, textAt, variables, type Draft, type Spec } from '@/pages/new-workload/draft';
import { usesEnvironment, withCompute, withEnvironment } from '@/pages/new-workload/assets';
import { Button, IconButton } from '@/ui/button';
import { Check, DurationInput, Field, Segments } from '@/ui/field';
import { Card } from '@/ui/page';

export interface Part {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  projectId: string;
  /** The values of a sweep, as typed. */
  sweep: string;
  onSweep: (text: string) => void;
}

/** The first field has the focus, so that one can type at once. */
const focusOnce = (input: HTMLInputElement | null) => {
  if (input && document.activeElement === document.body) input.focus({ preventScroll: true });
};

function Text({ part, path, label, hint, placeholder, mono }: { part: Part; path: string; label: string; hint?: string; placeholder?: string; mono?: boolean }) {
  return (
    <Field label={label} hint={hint}>
      <input className={`input ${mono ? 'mono' : ''}`} value={textAt(part.draft.spec, path)} placeholder={placeholder} spellCheck={false} onChange={(e) => part.change({ spec: put(part.draft.spec, path, e.target.value) })} />
    </Field>
  );
}

function Count({ part, path, label, hint, min = 0, step }: { part: Part; path: string; label: string; hint?: string; min?: number; step?: string }) {
  return (
    <Field label={label} hint={hint}>
      <input className="input" type="number" min={min} step={step ?? '1'} value={textAt(part.draft.spec, path)} onChange={(e) => part.change({ spec: put(part.draft.spec, path, e.target.value === '' ? undefined : Number(e.target.value)) })} />
    </Field>
  );
}

export function Basics({ part }: { part: Part }) {
  const projects = useQuery(queries.projects);
  const { draft, change } = part;
  const badName = draft.name !== '' && !NAME_RULE.test(draft.name);
  // As the command line does it: "My Notebook" becomes "my-notebook".
  const tidy = () => badName && change({ name: slug(draft.name) });
  return (
    <Card title="Name and project">
      <div className="form-row">
        <Field required label="Name" error={badName ? `Becomes ${slug(draft.name) || 'empty: begin with a letter'}` : null}>
          <input ref={focusOnce} className="input" name="name" value={draft.name} placeholder="resnet-baseline" autoComplete="off" onChange={(e) => change({ name: e.target.value })} onBlur={tidy} />
        </Field>
        <Field required label="Project">
          <select className="select" name="project" value={draft.project} onChange={(e) => change({ project: e.target.value })}>
            <option value="">Choose…</option>
            {projects.data?.map((p) => (
              <option key={p.id} value={p.name}>
                {p.name} ({quotaWords(p.status.quotaStatus?.allocated?.gpu, p.totalResources.gpuQuota)})
              </option>
            ))}
          </select>
        </Field>
      </div>
    </Card>
  );
}

export function Environment({ part }: { part: Part }) {
  return (
    <Card title="Environment">
      <div className="form">
        <AssetCards path="environment" label="Environments" part={part} take={withEnvironment} describe={(spec) => textAt(spec, 'image') || textAt(spec, 'command')} chosen={usesEnvironment} />
        <Text part={part} path="image" label="Image" mono placeholder="docker.io/library/python:3.12" hint="Without an image the command runs as a plain process on the node." />
        <div className="form-row">
          <Text part={part} path="command" label="Command" mono placeholder="python train.py" hint="Replaces the image's entry point." />
          <Text part={part} path="args" label="Arguments" mono placeholder="--epochs 10" />
        </div>
        <Text part={part} path="workingDir" label="Working directory" mono placeholder="project/src" />
        {part.draft.type === 'Workspace' ? <Tool part={part} /> : null}
        <Variables part={part} />
      </div>
    </Card>
  );
}

const TOOLS: [string, string, number][] = [
  ['jupyter-notebook', 'JupyterLab', 8888],
  ['tensorboard', 'TensorBoard', 6006],
  ['visual-studio-code', 'VS Code', 8080],
  ['rstudio', 'RStudio', 8787],
  ['custom', 'Another web page', 8000],
];

/** The web page that the workload serves, so that people can open it with one click. */
function Tool({ part }: { part: Part }) {
  const urls = (at(part.draft.spec, 'exposedUrls') as Spec[] | undefined) ?? [];
  const first = urls[0];
  const set = (next: Spec | null) => part.change({ spec: put(part.draft.spec, 'exposedUrls', next ? [next, ...urls.slice(1)] : urls.length > 1 ? urls.slice(1) : undefined) });
  const choose = (type: string) => {
    const tool = TOOLS.find(([id]) => id === type);
    set(tool ? { ...first, toolType: tool[0], toolName: tool[1], container: tool[2] } : null);
  };
  return (
    <div className="form-row">
      <Field label="Tool" hint="The web page it serves; the page gets an Open button.">
        <select className="select" name="tool" value={first ? textAt(first, 'toolType') || 'custom' : ''} onChange={(e) => choose(e.target.value)}>
          <option value="">none</option>
          {TOOLS.map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      {first ? (
        <Field label="Port of the tool" hint="In a container. A plain process must listen on $GPUYARD_PORT.">
          <input className="input" type="number" min={1} max={65535} name="port" value={textAt(first, 'container')} onChange={(e) => set({ ...first, container: Number(e.target.value) || undefined })} />
        </Field>
      ) : null}
    </div>
  );
}

function Variables({ part }: { part: Part }) {
  const list = variables(part.draft.spec);
  const set = (next: typeof list) => part.change({ spec: put(part.draft.spec, 'environmentVariables', next) });
  return (
    <fieldset className="stack tight">
      <legend className="field-label">Environment variables</legend>
      {list.map((v, i) => (
        <div className="row" key={i}>
          <input className="input mono" aria-label={`Name of variable ${i + 1}`} placeholder="NAME" value={v.name} onChange={(e) => set(list.map((o, n) => (n === i ? { ...o, name: e.target.value } : o)))} />
          <input className="input mono" aria-label={`Value of variable ${i + 1}`} placeholder="value" value={v.value} onChange={(e) => set(list.map((o, n) => (n === i ? { ...o, value: e.target.value } : o)))} />
          <IconButton small label="Remove the variable" icon={<X size={14} />} onClick={() => set(list.filter((_, n) => n !== i))} />
        </div>
      ))}
      <div>
        <Button small icon={<Plus size={13} />} onClick={() => set([...list, { name: '', value: '' }])}>
          Add a variable
        </Button>
      </div>
    </fieldset>
  );
}

const asked = (spec: Spec) => {
  const gpu = gpuText({ compute: spec });
  const cores = Number(at(spec, 'cpuCoreRequest') ?? 0);
  return [gpu ? plural(Number(gpu), 'GPU') : 'no GPU', cores > 0 ? plural(cores, 'core') : '', textAt(spec, 'cpuMemoryRequest')].filter(Boolean).join(' · ');
};

const QUICK = ['0', '0.5', '1', '2', '4', '8'];

/** What is no number of GPUs is said and not taken. */
function Gpus({ part: { draft, change } }: { part: Part }) {
  const known = gpuText(draft.spec);
  const [text, setText] = useState(known);
  const wrong = putGpus(draft.spec, text) === null;
  // What was changed elsewhere, such as in the YAML, is shown.
  const shown = wrong || gpuText(putGpus({}, text) ?? {}) === known ? text : known;
  const take = (next: string) => {
    setText(next);
    const spec = putGpus(draft.spec, next);
    if (spec) change({ spec });
  };
  const workers = draft.type === 'Distributed' ? Number(at(draft.spec, 'numWorkers') ?? 0) : 0;
  const total = workers > 0 && Number(known) > 0 ? ` ${plural(workers, 'worker')} × ${known} = ${plural(workers * Number(known), 'GPU')} in all.` : '';
  return (
    <div className="stack tight">
      <Field label={draft.type === 'Distributed' ? 'GPUs per worker' : 'GPUs'} hint={`Whole ones, or a part of one such as 0.5.${total}`} error={wrong ? 'A whole number, or a part below 1 such as 0.5.' : null}>
        <input className="input" name="gpu" inputMode="decimal" value={shown} placeholder="0" onChange={(e) => take(e.target.value)} />
      </Field>
      <Segments label="Number of GPUs" value={known || '0'} onChange={take} options={QUICK.map((n) => [n, n])} />
    </div>
  );
}

export function Compute({ part }: { part: Part }) {
  const { draft, change } = part;
  const pools = useQuery(queries.nodePools);
  const chosen = (at(draft.spec, 'nodePools') as string[] | undefined) ?? [];
  return (
    <Card title="Compute">
      <div className="form">
        <AssetCards path="compute" label="Compute resources" part={part} take={withCompute} describe={asked} chosen={(spec, asset) => JSON.stringify(at(spec, 'compute')) === JSON.stringify(asset.spec)} />
        <div className="form-row">
          <Gpus part={part} />
          <Count part={part} path="compute.cpuCoreRequest" label="CPU cores" step="0.1" />
          <Text part={part} path="compute.cpuMemoryRequest" label="Memory" placeholder="16G" />
        </div>
        <Check label="Large shared memory" hint="for data loaders with many workers" checked={Boolean(at(draft.spec, 'compute.largeShmRequest'))} onChange={(on) => change({ spec: put(draft.spec, 'compute.largeShmRequest', on || undefined) })} />
        {(pools.data?.length ?? 0) > 1 ? (
          <fieldset className="stack tight">
            <legend className="field-label">Node pools</legend>
            <div className="row wrap">
              {pools.data?.map((pool) => (
                <Check key={pool.id} label={pool.name} checked={chosen.includes(pool.name)} onChange={(on) => change({ spec: put(draft.spec, 'nodePools', on ? [...chosen, pool.name] : chosen.filter((n) => n !== pool.name)) })} />
              ))}
            </div>
            <div className="field-hint">None chosen: any pool the project may use. Otherwise in the order chosen.</div>
          </fieldset>
        ) : null}
      </div>
    </Card>
  );
}

export function TypeSpecific({ part }: { part: Part }) {
  if (part.draft.type === 'Distributed') {
    return (
      <Card title="Workers">
        <div className="form-row">
          <Count part={part} path="numWorkers" label="Workers" min={1} hint="They start all together or not at all." />
          <Field label="Framework">
            <select className="select" value={textAt(part.draft.spec, 'distributedFramework')} onChange={(e) => part.change({ spec: put(part.draft.spec, 'distributedFramework', e.target.value) })}>
              {['PyTorch', 'MPI', 'TF', 'XGBoost', 'JAX'].map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </Field>
        </div>
      </Card>
    );
  }
  if (part.draft.type !== 'Inference') return null;
  return (
    <Card title="Serving">
      <div className="form-row">
        <Count part={part} path="servingPort.container" label="Serving port" min={1} />
        <Count part={part} path="autoscaling.minReplicas" label="Min replicas" />
        <Count part={part} path="autoscaling.maxReplicas" label="Max replicas" min={1} />
      </div>
    </Card>
  );
}

export function Data({ part }: { part: Part }) {
  return (
    <Card title="Data">
      <DataCards part={part} />
    </Card>
  );
}

/** Own work that has not ended, to start after. */
function StartAfter({ part: { draft, change } }: { part: Part }) {
  const me = useQuery(queries.me).data?.username;
  const list = useQuery({ ...queries.workloads({ filterBy: `submittedBy==${me ?? ''},phase!=Completed,phase!=Failed,phase!=Stopped`, sortBy: 'createdAt', sortOrder: 'desc', limit: 100 }), enabled: me !== undefined });
  const [first] = (at(draft.spec, 'dependsOn') as { workload?: string; condition?: string }[] | undefined) ?? [];
  const rows = list.data?.workloads ?? [];
  if (rows.length === 0 && !first) return null;
  const set = (workload: string, condition: string) => change({ spec: put(draft.spec, 'dependsOn', workload ? [{ workload, condition }] : undefined) });
  return (
    <Field label="Start after" hint="It waits for other work of yours.">
      <span className="row">
        <select className="select" name="after" aria-label="Start after" value={first?.workload ?? ''} onChange={(e) => set(e.target.value, first?.condition ?? 'ok')}>
          <option value="">nothing: as soon as there is room</option>
          {first?.workload && !rows.some((w) => w.id === first.workload) ? <option value={first.workload}>{first.workload}</option> : null}
          {rows.map((w) => (
            <option key={w.id} value={w.id}>
              {w.projectName}/{w.name}
            </option>
          ))}
        </select>
        {first?.workload ? (
          <select className="select auto" aria-label="Under which condition" value={first.condition ?? 'ok'} onChange={(e) => set(first.workload ?? '', e.target.value)}>
            <option value="ok">if it succeeds</option>
            <option value="any">however it ends</option>
            <option value="fail">if it fails</option>
          </select>
        ) : null}
      </span>
    </Field>
  );
}

/** Values to try; each combination becomes a workload of its own. */
function Sweep({ part: { sweep, onSweep } }: { part: Part }) {
  const parameters = parseSweep(sweep);
  const size = sizeOf(parameters ?? []);
  const error = parameters === null ? 'Write it as lr=0.1,0.01; bs=16,32' : size > MOST_ITEMS ? `${size} combinations; ${MOST_ITEMS} at most from here` : null;
  return (
    <Field label="Sweep" error={error} hint={size > 0 ? `${plural(size, 'workload')}, one for each combination.` : 'One workload for each combination of values; {lr} in the command is the value.'}>
      <input className="input mono" name="sweep" placeholder="lr=0.1,0.01; bs=16,32" value={sweep} onChange={(e) => onSweep(e.target.value)} />
    </Field>
  );
}

export function RunPolicy({ part }: { part: Part }) {
  const { draft, change } = part;
  return (
    <Card title="Run policy">
      <div className="form">
        <div className="form-row">
          <Field label="Time limit" hint="Such as 90m, 2h or 1d. Empty: the project's limit, if it has one.">
            <DurationInput name="time" seconds={at(draft.spec, 'timeLimitSeconds')} onChange={(seconds) => change({ spec: put(draft.spec, 'timeLimitSeconds', seconds) })} />
          </Field>
          <Field label="Priority" hint="Within the project. Empty: the default of this type.">
            <select className="select" name="priority" value={textAt(draft.spec, 'priorityClass')} onChange={(e) => change({ spec: put(draft.spec, 'priorityClass', e.target.value) })}>
              <option value="">default</option>
              {PRIORITIES.map(([name, value]) => (
                <option key={name} value={name}>
                  {name} ({value})
                </option>
              ))}
            </select>
          </Field>
          <Count part={part} path="retry.limit" label="Retries" hint="After a failure; none unless you say so." />
          <Field label="Preemption" hint="What happens when others need the GPUs.">
            <select className="select" value={textAt(draft.spec, 'preemptibility')} onChange={(e) => change({ spec: put(draft.spec, 'preemptibility', e.target.value) })}>
              <option value="">default</option>
              <option value="preemptible">may be preempted, may exceed the quota</option>
              <option value="non-preemptible">never preempted, stays within the quota</option>
            </select>
          </Field>
        </div>
        <StartAfter part={part} />
        {draft.type === 'Training' ? <Sweep part={part} /> : null}
        <Check label="Hold" hint="do not start until it is released" checked={Boolean(at(draft.spec, 'hold'))} onChange={(on) => change({ spec: put(draft.spec, 'hold', on || undefined) })} />
      </div>
    </Card>
  );
}
