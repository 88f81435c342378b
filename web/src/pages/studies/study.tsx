// One study: what it found, how it went, and its trials. A range drawn over one plot shows in all.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useParams } from 'react-router-dom';
import { goesOn, studies, type Study } from '@/api/studies';
import type { Trials } from '@/api/trials';
import { useAddress } from '@/lib/address';
import { StudyActions } from '@/pages/studies/actions';
import { BrushBar } from '@/pages/studies/brush-bar';
import { Curves } from '@/pages/studies/curves';
import { Settings } from '@/pages/studies/settings';
import { Best, Next, Spent } from '@/pages/studies/overview';
import { Parallel } from '@/pages/studies/parallel';
import { Distribution, History, Rungs, Timeline } from '@/pages/studies/progress';
import { Lineage } from '@/pages/studies/lineage';
import { Importances, Pairs, Slices } from '@/pages/studies/space';
import { useProjectName } from '@/pages/studies/project';
import { StudyState } from '@/pages/studies/state';
import { TradeOff } from '@/pages/studies/tradeoff';
import { TrialDialog } from '@/pages/studies/trial';
import { TrialsTable } from '@/pages/studies/trials-table';
import { useView, type View } from '@/pages/studies/view';
import { PersonLink, ProjectLink } from '@/ui/links';
import { Page } from '@/ui/page';
import { Failed, Notice, Skeleton } from '@/ui/state';
import { Tabs, type TabSpec } from '@/ui/tabs';
import { Time } from '@/ui/time';
import '@/pages/studies/studies.css';

export default function StudyPage() {
  const { id = '' } = useParams();
  const study = useQuery(studies.one(id));
  const client = useQueryClient();
  const trials = useQuery({ ...studies.trials(client, id, goesOn(study.data)), enabled: study.isSuccess });
  // The end of the last trial is told by the study, which then asks no more.
  const counts = JSON.stringify(study.data?.trials);
  const { refetch } = trials;
  useEffect(() => {
    if (counts) void refetch();
  }, [counts, refetch]);
  if (study.data && trials.data) return <Loaded study={study.data} trials={trials.data} />;
  const error = study.error ?? trials.error;
  return (
    <Page title={study.data?.name ?? 'Study'}>
      <div className="card card-body">{error ? <Failed error={error} what="this study" retry={() => void (study.isError ? study : trials).refetch()} /> : <Skeleton lines={8} />}</div>
    </Page>
  );
}

function tabsOf(view: View): TabSpec[] {
  const several = view.study.spec.objectives.length > 1;
  const prunes = Boolean(view.study.spec.pruner && view.study.spec.pruner.type !== 'none');
  return [
    {
      id: 'overview',
      label: 'Overview',
      render: () => (
        <div className="stack">
          <div className="grid study-top">
            <Best view={view} />
            <Spent study={view.study} />
            <Next view={view} />
          </div>
          {several ? <TradeOff view={view} /> : null}
          <div className="grid plots two">
            <History view={view} />
            <Importances view={view} />
          </div>
        </div>
      ),
    },
    { id: 'parameters', label: 'Parameters', render: () => <div className="stack"><Parallel view={view} /><Slices view={view} /><Pairs view={view} /></div> },
    { id: 'progress', label: 'Progress', render: () => <div className="stack"><div className="grid plots two"><Distribution view={view} /><Timeline view={view} /></div><Curves view={view} />{prunes && view.study.spec.pruner?.type !== 'pbt' ? <Rungs view={view} /> : null}<Lineage view={view} /></div> },
    { id: 'settings', label: 'Settings', render: () => <Settings study={view.study} /> },
  ];
}

function Loaded({ study, trials }: { study: Study; trials: Trials }) {
  const { params, set } = useAddress();
  const view = useView(study, trials);
  const tab = params.get('tab') ?? 'overview';
  const open = params.get('trial');
  return (
    <Page title={study.name} heading={<Heading study={study} />} actions={<StudyActions study={study} />}>
      {study.message ? <Notice tone={study.state === 'Paused' ? 'wait' : 'plain'}>{study.message}</Notice> : null}
      {tab === 'settings' ? null : <BrushBar view={view} />}
      <Tabs label="Parts of the study" tabs={tabsOf(view)} value={tab} onChange={(next) => set({ tab: next === 'overview' ? '' : next })} />
      {tab === 'settings' ? null : <TrialsTable view={view} />}
      {open !== null && /^\d+$/.test(open) ? <TrialDialog study={study} number={Number(open)} /> : null}
    </Page>
  );
}

function Heading({ study }: { study: Study }) {
  const project = useProjectName(study.projectId);
  return (
    <div className="stack close">
      <div className="row wrap">
        <h1 className="break">{study.name}</h1>
        <StudyState state={study.state} />
      </div>
      <div className="page-sub">
        Study in <ProjectLink id={study.projectId} name={project} /> · by <PersonLink name={study.createdBy} /> · began <Time at={study.createdAt} />
      </div>
    </div>
  );
}
