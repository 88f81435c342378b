// The study that a workload is a trial of.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useAllowed, type WorkloadDetails } from '@/api/queries';
import { studies, type Study } from '@/api/studies';

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

interface Claim {
  study: string;
  trial: number;
}

/** The claim of its variables. Anybody may write them, so the study is asked whether it is true. */
export function claimOf(w: Pick<WorkloadDetails, 'environmentVariables'>): Claim | null {
  const variables = (w.environmentVariables ?? {}) as Record<string, string>;
  const [study = '', trial = ''] = [variables.GPUYARD_STUDY_ID, variables.GPUYARD_TRIAL];
  return ID.test(study) && /^\d{1,9}$/.test(trial) ? { study, trial: Number(trial) } : null;
}

const trialsOf = ({ trials }: Study) => trials.running + trials.complete + trials.pruned + trials.failed;

export function TrialOf({ workload, claim }: { workload: WorkloadDetails; claim: Claim }) {
  const allowed = useAllowed();
  const study = useQuery({ ...studies.one(claim.study), enabled: allowed('trainings'), retry: false, refetchInterval: false });
  const known = study.data !== undefined && claim.trial < trialsOf(study.data);
  const trial = useQuery({ ...studies.trial(claim.study, claim.trial, false), enabled: known, retry: false });
  if (!study.data || trial.data?.workloadId !== workload.id) return <span className="muted">–</span>;
  return (
    <span>
      <Link to={`/studies/${claim.study}?trial=${claim.trial}`}>trial {claim.trial}</Link> of <Link to={`/studies/${claim.study}`}>{study.data.name}</Link>
    </span>
  );
}
