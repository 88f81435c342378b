// Who goes on from whose checkpoint: a line for each member of the population, or each promoted trial.
import { useMemo } from 'react';
import { stateAt } from '@/api/trials';
import { saysLineage } from '@/pages/studies/insight';
import { PlotCard } from '@/pages/studies/parts';
import { TrialStateBadge } from '@/pages/studies/state';
import { linesOf, type Line } from '@/pages/studies/sums';
import type { View } from '@/pages/studies/view';

const MOST = 100;

export function Lineage({ view }: { view: View }) {
  const lines = useMemo(() => linesOf(view.trials), [view.trials]);
  if (lines.length === 0) return null;
  const note = lines.length > MOST ? `The newest ${MOST} of ${lines.length} lines are shown.` : null;
  return (
    <PlotCard title="Lineage" says={saysLineage(view.trials, lines)} legend={null} note={note}>
      <ol className="lineage">
        {lines.slice(-MOST).map((line) => (
          <OneLine key={line[0]?.trial} view={view} line={line} />
        ))}
      </ol>
    </PlotCard>
  );
}

function OneLine({ view, line }: { view: View; line: Line }) {
  const last = line[line.length - 1]?.trial ?? 0;
  const step = view.trials.steps[last];
  return (
    <li className="row wrap">
      {line.map(({ trial, from }) => (
        <span key={trial}>
          {from === null ? null : <span className="muted small">→ from {from} → </span>}
          <button type="button" className="link num" onClick={() => view.open(trial)}>
            trial {trial}
          </button>
        </span>
      ))}
      <TrialStateBadge state={stateAt(view.trials, last)} />
      {Number.isFinite(step) ? <span className="muted small num">step {step?.toLocaleString('en')}</span> : null}
    </li>
  );
}
