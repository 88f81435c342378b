import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { api, type Schemas } from '@/api/client';
import { record } from '@/api/engine';
import { queries } from '@/api/queries';
import { plural } from '@/lib/quantity';
import { missing, NAME_RULE, slug, textAt, type Draft, type Spec } from '@/pages/new-workload/draft';
import { keep, kept } from '@/lib/store';
import { applyParams, nextName, typeAfter } from '@/pages/new-workload/changes';
import { Forecast, type Body } from '@/pages/new-workload/forecast';
import { findPreset, randomSecret, type Preset } from '@/pages/new-workload/presets';
import { StartFrom, useTemplates } from '@/pages/new-workload/start-from';
import { typeOf, withTemplate, type Parts } from '@/pages/new-workload/templates';
import { assets, withEnvironment, type Asset } from '@/pages/new-workload/assets';
import { Basics, Compute, Data, Environment, RunPolicy, TypeSpecific, type Part } from '@/pages/new-workload/sections';
import { itemsOf, MOST_ITEMS, parseSweep, sizeOf, type Parameter } from '@/pages/new-workload/sweep';
import { Views } from '@/pages/new-workload/views';
import { ICONS, kindRoute, TYPES, useMayAct, useMayCreate, type WorkloadType } from '@/pages/workloads/kinds';
import { useProject } from '@/shell/project';
import { Button } from '@/ui/button';
import { Leaving } from '@/ui/leaving';
import { NoRight } from '@/ui/no-right';
import { Page } from '@/ui/page';
import { ErrorNotice, Failed } from '@/ui/state';
import { toast } from '@/ui/toast';

const ABOUT: Record<WorkloadType, string> = {
  Workspace: 'A notebook or shell to work in',
  Training: 'One command that runs to its end',
  Distributed: 'Many workers as one',
  Inference: 'A model that answers requests',
};

const START: Record<WorkloadType, Spec> = {
  Workspace: {},
  Training: {},
  Distributed: { numWorkers: 2, distributedFramework: 'PyTorch' },
  Inference: { servingPort: { container: 8000 } },
};

/** Fills the draft from the workload that is cloned. */
function useClone(setDraft: (draft: Draft) => void, params: URLSearchParams): { name: string | null; error: unknown } {
  const from = params.get('from');
  const source = useQuery({ ...queries.workload(from ?? ''), enabled: from !== null });
  const type = source.data?.type ?? '';
  const made = useQuery({ ...record(kindRoute(type), from ?? ''), enabled: source.isSuccess });
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (done || !source.data || !made.data) return;
    setDraft({ type: typeAfter(source.data.type, params), name: nextName(source.data.name), project: source.data.projectName, spec: applyParams(made.data.spec ?? {}, params) });
    setDone(true);
  }, [done, source.data, made.data, params, setDraft]);
  return { name: source.data?.name ?? null, error: source.error ?? made.error };
}

const LAST_PROJECT = 'gpuyard.last-project';

const fromPreset = (preset: Preset, project: string): Draft => ({ type: preset.type, name: preset.name, project, spec: preset.make(randomSecret) });

function fromTemplate(template: Asset, parts: Parts, project: string): Draft {
  const spec = withTemplate({}, template, parts);
  return { type: typeOf(spec), name: slug(template.meta.name), project, spec };
}

/** What the address asks for at first: nothing, a type, or a preset. */
function firstDraft(params: URLSearchParams): Draft {
  const preset = findPreset(params.get('preset'));
  if (preset) return fromPreset(preset, '');
  const asked = params.get('type') as WorkloadType | null;
  const type = asked && TYPES.includes(asked) ? asked : 'Training';
  return { type, name: '', project: '', spec: START[type] };
}

/** Fills the draft from the template that the address names, once it is known. */
function useTemplateInAddress(setDraft: (change: (draft: Draft) => Draft) => void, id: string | null) {
  const known = useTemplates('');
  const [done, setDone] = useState(false);
  const template = known?.templates.find((t) => t.meta.id === id);
  useEffect(() => {
    if (done || !known || !template) return;
    setDraft((d) => fromTemplate(template, known.parts, d.project));
    setDone(true);
  }, [done, known, template, setDraft]);
}

/** Fills the draft from the environment that the address names. */
function useEnvironmentInAddress(setDraft: (change: (draft: Draft) => Draft) => void, id: string | null) {
  const all = useQuery({ ...assets('environment', ''), enabled: id !== null });
  const [done, setDone] = useState(false);
  const asset = all.data?.find((one) => one.meta.id === id);
  useEffect(() => {
    if (done || !asset) return;
    setDraft((d) => ({ ...d, name: d.name || slug(asset.meta.name), spec: withEnvironment(d.spec, asset) }));
    setDone(true);
  }, [done, asset, setDraft]);
}

function useDraft() {
  const [params] = useSearchParams();
  const [draft, setDraft] = useState<Draft>(() => firstDraft(params));
  // Which template or preset it came from, and the name that was proposed with it.
  const [origin, setOrigin] = useState(params.get('template') ?? params.get('preset') ?? '');
  const projects = useQuery(queries.projects);
  const [inView] = useProject();
  const cloned = useClone(setDraft, params);
  useTemplateInAddress(setDraft, params.get('template'));
  useEnvironmentInAddress(setDraft, params.get('environment'));
  useEffect(() => {
    if (draft.project || !projects.data) return;
    const last = kept(LAST_PROJECT, '');
    const usual = projects.data.find((p) => p.id === inView) ?? (projects.data.length === 1 ? projects.data[0] : projects.data.find((p) => p.name === last));
    if (usual) setDraft((d) => ({ ...d, project: usual.name }));
  }, [projects.data, inView, draft.project]);
  const project = projects.data?.find((p) => p.name === draft.project);
  const start = (id: string, make: (project: string) => Draft) => {
    setOrigin(id);
    setDraft((d) => make(d.project));
  };
  return { draft, setDraft, project, cloned, origin, start };
}

/** Types that the roles of the person let them make; all of them while that is not known. */
function useTypes(): WorkloadType[] {
  const may = useMayAct();
  const mine = TYPES.filter((type) => may(type, 'create'));
  return mine.length > 0 ? mine : [...TYPES];
}

export default function NewWorkload() {
  const known = useQuery(queries.permissions).isSuccess;
  const mayCreate = useMayCreate();
  if (!known || mayCreate) return <Maker />;
  return <NoRight title="New workload" what="submit work" />;
}

function Maker() {
  const { draft, setDraft, project, cloned, origin, start } = useDraft();
  const types = useTypes();
  const [never, setNever] = useState(false);
  const gaps = missing(draft);
  const body = useMemo<Body | null>(() => (project ? { name: draft.name, ...(origin ? { numberNameIfTaken: true } : {}), projectId: project.id, clusterId: project.clusterId, spec: draft.spec } : null), [draft, project, origin]);
  const [sweep, setSweep] = useState('');
  const parameters = draft.type === 'Training' ? parseSweep(sweep) : [];
  const size = sizeOf(parameters ?? []);
  const { submit, busy, error, done } = useSubmission(draft.type, draft.project, body, parameters ?? []);
  const part: Part = { draft, change: (change) => setDraft((d) => ({ ...d, ...change })), projectId: project?.id ?? '', sweep, onSweep: setSweep };
  const ready = gaps.length === 0 && body !== null && NAME_RULE.test(draft.name) && parameters !== null && size <= MOST_ITEMS;
  return (
    <Page title="New workload" sub={cloned.name ? `A copy of ${cloned.name}, to change before it is submitted` : 'Fill in the form, or edit the YAML or the command line.'}>
      {cloned.error ? <Failed small error={cloned.error} what="the workload to copy" /> : null}
      <form
        className="maker"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void submit();
        }}
      >
        <div className="stack">
          {cloned.name ? null : (
            <StartFrom
              projectId={project?.id ?? ''}
              chosen={origin}
              mayOpenWorkspaces={types.includes('Workspace')}
              onPreset={(preset) => start(preset.id, (name) => fromPreset(preset, name))}
              onTemplate={(template, parts) => start(template.meta.id, (name) => fromTemplate(template, parts, name))}
            />
          )}
          <Types draft={draft} types={types} onType={(type) => setDraft((d) => ({ ...d, type, spec: { ...START[type], ...without(d.spec, START[d.type]) } }))} />
          <Basics part={part} />
          <Environment part={part} />
          <Compute part={part} />
          <TypeSpecific part={part} />
          <Data part={part} />
          <RunPolicy part={part} />
        </div>
        <aside className="maker-side stack">
          <Forecast type={draft.type} body={body} gaps={gaps} onNever={setNever} apply={(change) => setDraft((d) => ({ ...d, type: typeAfter(d.type, change), spec: applyParams(d.spec, change) }))} />
          <ErrorNotice error={error} />
          <Button type="submit" tone={never ? 'plain' : 'primary'} disabled={!ready || busy}>
            {busy ? 'Submitting…' : `Submit ${size > 1 ? `${size} trainings` : draft.type.toLowerCase()}${never ? ' anyway' : ''}`}
          </Button>
          <Views draft={draft} onDraft={setDraft} />
        </aside>
      </form>
      <Leaving touched={isTouched(draft)} done={done} title="Leave without submitting?">
        What you filled in is lost.
      </Leaving>
    </Page>
  );
}

const without = (spec: Spec, keys: Spec): Spec => Object.fromEntries(Object.entries(spec).filter(([key]) => !(key in keys)));

const isTouched = (draft: Draft) => draft.name !== '' && (textAt(draft.spec, 'command') !== '' || textAt(draft.spec, 'image') !== '');

const randomId = () => [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** One after the other, so that a refusal leaves a clear state. */
async function submitAll(type: WorkloadType, body: Body, parameters: Parameter[]): Promise<void> {
  const items = itemsOf(body.name, body.spec, parameters, randomId());
  for (const [index, item] of items.entries()) {
    await api.post(kindRoute(type), { ...body, ...item, numberNameIfTaken: true }).catch((problem: unknown) => {
      if (index > 0) toast(`${index} of ${plural(items.length, 'workload')} submitted`);
      throw problem;
    });
  }
  toast(`${plural(items.length, 'workload')} submitted`);
}

function useSubmission(type: WorkloadType, project: string, body: Body | null, parameters: Parameter[]) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const done = useRef(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const send = async (whole: Body): Promise<string> => {
    if (sizeOf(parameters) > 1) {
      await submitAll(type, whole, parameters);
      return `/workloads?q=${encodeURIComponent(whole.name)}`;
    }
    const made = await api.post<Schemas['WorkloadRecord']>(kindRoute(type), whole);
    toast(`${made.name} is submitted`);
    return `/workloads/${made.workloadId}`;
  };
  const submit = async () => {
    if (!body) return;
    setBusy(true);
    setError(null);
    try {
      const to = await send(body);
      keep(LAST_PROJECT, project);
      void client.invalidateQueries({ queryKey: ['workload'] });
      done.current = true;
      navigate(to);
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return { submit, busy, error, done };
}

function Types({ draft, types, onType }: { draft: Draft; types: WorkloadType[]; onType: (type: WorkloadType) => void }) {
  return (
    <div className="choices" role="group" aria-label="Type of workload">
      {types.map((type) => {
        const Icon = ICONS[type];
        return (
          <button key={type} type="button" className="choice" aria-pressed={draft.type === type} onClick={() => onType(type)}>
            <span className="row strong">
              {Icon ? <Icon size={16} aria-hidden /> : null} {type}
            </span>
            <span className="tiny muted">{ABOUT[type]}</span>
          </button>
        );
      })}
    </div>
  );
}
