// The parts of the form. Each edits the spec through paths; none keeps values of its own.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Plus, X } from '@/ui/icons';
import { queries } from '@/api/queries';
import { AssetCards, DataCards } from '@/pages/new-workload/cards';
import { at, gpuText, NAME_RULE, put, putGpus, textAt, variables, type Draft, type Spec } from '@/pages/new-workload/draft';
import { usesEnvironment, withCompute, withEnvironment } from '@/pages/new-workload/assets';
import { Button, IconButton } from '@/ui/button';
import { Check, Field } from '@/ui/field';
import { Card } from '@/ui/page';

export interface Part {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  projectId: string;
}

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
  return (
    <Card title="Name and project">
      <div className="form-row">
        <Field label="Name" error={badName ? 'Small letters, digits and dashes; a letter first.' : null}>
          <input className="input" name="name" value={draft.name} placeholder="resnet-baseline" autoComplete="off" onChange={(e) => change({ name: e.target.value })} />
        </Field>
        <Field label="Project">
          <select className="select" name="project" value={draft.project} onChange={(e) => change({ project: e.target.value })}>
            <option value="">Choose…</option>
            {projects.data?.map((p) => (
              <option key={p.id} value={p.name}>
                {p.name} ({p.totalResources.gpuQuota ?? 0} GPUs quota, {p.status.quotaStatus?.allocated?.gpu ?? 0} in use)
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
        <Variables part={part} />
      </div>
    </Card>
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
  return [gpu ? `${gpu} GPU` : 'no GPU', textAt(spec, 'cpuCoreRequest') && `${textAt(spec, 'cpuCoreRequest')} cores`, textAt(spec, 'cpuMemoryRequest')].filter(Boolean).join(' · ');
};

/** Taken over when it is left; what is no number of GPUs is said and not taken. */
function Gpus({ part: { draft, change } }: { part: Part }) {
  const [wrong, setWrong] = useState(false);
  const take = (text: string) => {
    const spec = putGpus(draft.spec, text);
    setWrong(spec === null);
    if (spec) change({ spec });
  };
  return (
    <Field label="GPUs" hint="Whole ones, or a part of one such as 0.5." error={wrong ? 'A whole number, or a part below 1 such as 0.5.' : null}>
      <input className="input" name="gpu" inputMode="decimal" defaultValue={gpuText(draft.spec)} placeholder="0" onBlur={(e) => take(e.target.value)} onKeyDown={(e) => e.key === 'Enter' && e.currentTarget.blur()} />
    </Field>
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
          <Gpus key={gpuText(draft.spec)} part={part} />
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
        <Count part={part} path="autoscaling.minReplicas" label="Fewest copies" />
        <Count part={part} path="autoscaling.maxReplicas" label="Most copies" min={1} />
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

export function Life({ part }: { part: Part }) {
  const { draft, change } = part;
  const hours = Number(at(draft.spec, 'timeLimitSeconds') ?? 0) / 3600;
  return (
    <Card title="Life">
      <div className="form">
        <div className="form-row">
          <Field label="Time limit, hours" hint="Empty: none but the project's.">
            <input className="input" type="number" min="0" step="0.5" value={hours || ''} onChange={(e) => change({ spec: put(draft.spec, 'timeLimitSeconds', Number(e.target.value) > 0 ? Math.round(Number(e.target.value) * 3600) : undefined) })} />
          </Field>
          <Count part={part} path="retry.limit" label="Retries" hint="After a failure; none unless you say so." />
          <Field label="When others need the GPUs">
            <select className="select" value={textAt(draft.spec, 'preemptibility')} onChange={(e) => change({ spec: put(draft.spec, 'preemptibility', e.target.value) })}>
              <option value="">as usual for this type</option>
              <option value="preemptible">may be preempted, may exceed the quota</option>
              <option value="non-preemptible">never preempted, stays within the quota</option>
            </select>
          </Field>
        </div>
        <Check label="Hold" hint="do not start until it is released" checked={Boolean(at(draft.spec, 'hold'))} onChange={(on) => change({ spec: put(draft.spec, 'hold', on || undefined) })} />
      </div>
    </Card>
  );
}
