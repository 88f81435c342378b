import { Check, X } from '@/ui/icons';
import type { Attempt } from '@/api/engine';
import type { WorkloadDetails } from '@/api/queries';
import { isEnded } from '@/pages/workloads/kinds';
import { Elapsed, Time } from '@/ui/time';

interface Stage {
  name: string;
  at: string | null | undefined;
}

function stagesOf(w: WorkloadDetails, attempt: Attempt | undefined): Stage[] {
  const ended = isEnded(w.phase);
  return [
    { name: 'Submitted', at: w.createdAt },
    { name: 'Placed', at: attempt?.placedAt },
    { name: 'Running', at: attempt?.startedAt },
    { name: ended ? w.phase : 'Ended', at: attempt?.endedAt ?? w.completedAt ?? (ended ? w.phaseUpdatedAt : null) },
  ];
}

/** From submission to the end, with the time each step took. */
export function Stages({ workload, attempt }: { workload: WorkloadDetails; attempt: Attempt | undefined }) {
  const stages = stagesOf(workload, attempt);
  return (
    <ol className="stages" aria-label="Stages">
      {stages.map((stage, index) => {
        const next = stages.slice(index + 1).find((s) => s.at);
        return (
          <li key={stage.name} className={`stage ${stage.at ? 'reached' : ''} ${stage.name === 'Failed' ? 'failed' : ''}`}>
            <span className="stage-dot">{!stage.at ? null : stage.name === 'Failed' ? <X size={11} strokeWidth={3} aria-hidden /> : <Check size={11} strokeWidth={3} aria-hidden />}</span>
            <span className="stage-name">{stage.name}</span>
            <span className="tiny muted">
              {stage.at ? <Time at={stage.at} /> : 'not yet'}
              {stage.at && index < 3 && (next || !isEnded(workload.phase)) ? (
                <>
                  {' · for '}
                  <Elapsed from={stage.at} to={next?.at} />
                </>
              ) : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
