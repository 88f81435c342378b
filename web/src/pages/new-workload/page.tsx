import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { api, type Schemas } from '@/api/client';
import { record } from '@/api/engine';
import { queries } from '@/api/queries';
import { missing, NAME_RULE, type Draft, type Spec } from '@/pages/new-workload/draft';
import { applyParams, nextName, typeAfter } from '@/pages/new-workload/changes';
import { Forecast, type Body } from '@/pages/new-workload/forecast';
import { Basics, Compute, Data, Environment, Life, TypeSpecific, type Part } from '@/pages/new-workload/sections';
import { Views } from '@/pages/new-workload/views';
import { ICONS, kindRoute, TYPES, type WorkloadType } from '@/pages/workloads/kinds';
import { useProject } from '@/shell/project';
import { Button } from '@/ui/button';
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

function useDraft() {
  const [params] = useSearchParams();
  const asked = params.get('type') as WorkloadType | null;
  const type = asked && TYPES.includes(asked) ? asked : 'Training';
  const [draft, setDraft] = useState<Draft>({ type, name: '', project: '', spec: START[type] });
  const projects = useQuery(queries.projects);
  const [inView] = useProject();
  const cloned = useClone(setDraft, params);
  useEffect(() => {
    if (draft.project || !projects.data) return;
    const usual = projects.data.find((p) => p.id === inView) ?? (projects.data.length === 1 ? projects.data[0] : undefined);
    if (usual) setDraft((d) => ({ ...d, project: usual.name }));
  }, [projects.data, inView, draft.project]);
  const project = projects.data?.find((p) => p.name === draft.project);
  return { draft, setDraft, project, cloned };
}

export default function NewWorkload() {
  const { draft, setDraft, project, cloned } = useDraft();
  const gaps = missing(draft);
  const body = useMemo<Body | null>(() => (project ? { name: draft.name, projectId: project.id, clusterId: project.clusterId, spec: draft.spec } : null), [draft, project]);
  const { submit, busy, error } = useSubmission(draft.type, body);
  const part: Part = { draft, change: (change) => setDraft((d) => ({ ...d, ...change })), projectId: project?.id ?? '' };
  const ready = gaps.length === 0 && body !== null && NAME_RULE.test(draft.name);
  return (
    <Page title="New workload" sub={cloned.name ? `A copy of ${cloned.name}, to change before it is submitted` : 'Form, YAML and command line show the same thing; change any of them.'}>
      {cloned.error ? <Failed small error={cloned.error} what="the workload to copy" /> : null}
      <form
        className="maker"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void submit();
        }}
      >
        <div className="stack">
          <Types draft={draft} onType={(type) => setDraft((d) => ({ ...d, type, spec: { ...START[type], ...without(d.spec, START[d.type]) } }))} />
          <Basics part={part} />
          <Environment part={part} />
          <Compute part={part} />
          <TypeSpecific part={part} />
          <Data part={part} />
          <Life part={part} />
        </div>
        <aside className="maker-side stack">
          <Forecast type={draft.type} body={body} gaps={gaps} />
          <ErrorNotice error={error} />
          <Button type="submit" tone="primary" disabled={!ready || busy}>
            {busy ? 'Submitting…' : `Submit ${draft.type.toLowerCase()}`}
          </Button>
          <Views draft={draft} onDraft={setDraft} />
        </aside>
      </form>
    </Page>
  );
}

const without = (spec: Spec, keys: Spec): Spec => Object.fromEntries(Object.entries(spec).filter(([key]) => !(key in keys)));

function useSubmission(type: WorkloadType, body: Body | null) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      const made = await api.post<Schemas['WorkloadRecord']>(kindRoute(type), body);
      toast(`${made.name} is submitted`);
      void client.invalidateQueries({ queryKey: ['workload'] });
      navigate(`/workloads/${made.workloadId}`);
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return { submit, busy, error };
}

function Types({ draft, onType }: { draft: Draft; onType: (type: WorkloadType) => void }) {
  return (
    <div className="choices" role="group" aria-label="Type of workload">
      {TYPES.map((type) => {
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
