// The way in: a notebook or a template in two clicks, and a welcome for those without a project.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useAllowed } from '@/api/queries';
import { assets } from '@/pages/new-workload/assets';
import { PRESETS } from '@/pages/new-workload/presets';
import { useMayAct } from '@/pages/workloads/kinds';
import { Card } from '@/ui/page';
import { Copy } from '@/ui/copy';
import { BrainCircuit, LayoutTemplate, NotebookPen, UserRound } from '@/ui/icons';
import { Empty } from '@/ui/state';

const MOST_TEMPLATES = 6;

export function QuickStart({ first }: { first: boolean }) {
  const allowed = useAllowed();
  const may = useMayAct();
  const templates = useQuery({ ...assets('workload-template', ''), enabled: allowed('templates') });
  const workspaces = may('Workspace', 'create');
  const trainings = may('Training', 'create');
  if (!workspaces && !trainings) return null;
  return (
    <Card title={first ? 'Start your first work' : 'Start'}>
      {first ? <p className="small soft start-about">A workspace is a notebook or a shell on a GPU; a training runs a command to its end.</p> : null}
      <div className="row wrap" role="group" aria-label="Start">
        {(templates.data ?? []).slice(0, MOST_TEMPLATES).map((t) => (
          <Link key={t.meta.id} className="button" to={`/workloads/new?template=${t.meta.id}`} title={t.meta.description ?? undefined}>
            <LayoutTemplate size={15} aria-hidden /> {t.meta.name}
          </Link>
        ))}
        {workspaces
          ? PRESETS.map((preset) => (
              <Link key={preset.id} className="button" to={`/workloads/new?preset=${preset.id}`} title={preset.about}>
                <NotebookPen size={15} aria-hidden /> {preset.label}
              </Link>
            ))
          : null}
        {trainings ? (
          <Link className="button" to="/workloads/new?type=Training">
            <BrainCircuit size={15} aria-hidden /> Training
          </Link>
        ) : null}
      </div>
    </Card>
  );
}

/** Nobody has given the person a role yet. */
export function Welcome({ email }: { email: string }) {
  return (
    <Card>
      <Empty title="Welcome. You are not in a project yet" icon={<UserRound size={20} />}>
        Ask the person who invited you, or the administrator of this server, to add <span className="strong">{email}</span> <Copy text={email} label="Copy your address" /> to a project. Your work appears here as soon as that is done; you need not sign in again.
      </Empty>
    </Card>
  );
}
