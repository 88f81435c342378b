// How it ended. A failure shows the failure: what was raised, the last lines of the log, and what
// can be done now.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { Attempt } from '@/api/engine';
import type { WorkloadDetails } from '@/api/queries';
import { messageWords } from '@/lib/reasons';
import { causeIn, logTail } from '@/pages/workload/log-tail';
import { isWaiting, useMayAct } from '@/pages/workloads/kinds';
import { CircleX, Copy, ScrollText } from '@/ui/icons';
import { Notice } from '@/ui/state';

const CAUSES: Record<string, string> = {
  Exit: 'Command failed',
  Signal: 'Killed by a signal',
  OutOfMemory: 'Out of memory',
  LaunchFailed: 'Could not be started',
  NodeLost: 'Node lost',
  TimeLimit: 'Time limit reached',
  Suspended: 'Stopped',
  Preempted: 'Preempted',
  Idle: 'Stopped because it was idle',
  Completed: 'Succeeded',
  Deleted: 'Deleted',
};
export const causeWords = (cause: string | null | undefined) => CAUSES[cause ?? ''] ?? cause ?? 'Ended';

const BAD = ['Exit', 'Signal', 'OutOfMemory', 'LaunchFailed', 'NodeLost', 'TimeLimit'];
const SHOWN = 15;
const sentence = (raw: string) => ((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`)(messageWords(raw));

/** The rule that stopped it, as people know it. */
function stopWords(stop: NonNullable<Attempt['stop']>): string {
  if (stop.cause === 'Preempted') return `Preempted${stop.by ? ` for ${stop.by}` : ''}${stop.rule ? ` (${stop.rule})` : ''}.`;
  return stop.by ? `Stopped by ${stop.by}.` : '';
}

const SIGNALS: Record<number, string> = { 4: 'illegal instruction', 6: 'aborted', 7: 'bus error', 8: 'arithmetic error', 9: 'killed', 11: 'segmentation fault', 15: 'told to end' };
const signalWords = (signal: number) => `Ended by signal ${signal}${SIGNALS[signal] ? ` (${SIGNALS[signal]})` : ''}`;

function codeWords(attempt: Attempt | undefined): string {
  if (attempt?.exitCode !== null && attempt?.exitCode !== undefined && attempt.exitCode !== 0) return `exit code ${attempt.exitCode}`;
  return attempt?.signal ? `signal ${attempt.signal}` : '';
}

export function Ending({ workload, attempt }: { workload: WorkloadDetails; attempt: Attempt | undefined }) {
  if (!attempt?.cause && attempt?.residence === 'Away') return <Notice tone="plain">{workload.phaseMessage}</Notice>;
  if (!attempt?.cause && workload.phase !== 'Failed') return null;
  if (isWaiting(workload.phase) && !attempt?.cause) return null;
  const bad = workload.phase === 'Failed' || BAD.includes(attempt?.cause ?? '');
  if (bad) return <Failure workload={workload} attempt={attempt} />;
  const text = attempt?.message || workload.phaseMessage;
  return (
    <Notice tone={attempt?.cause === 'Completed' ? 'ok' : 'plain'}>
      <span className="strong">{attempt ? `Attempt ${attempt.number}: ${causeWords(attempt.cause)}` : 'Ended'}.</span> {attempt?.cause !== 'Completed' && text ? sentence(text) : ''} {attempt?.stop ? stopWords(attempt.stop) : ''}
    </Notice>
  );
}

/** Of several tasks it is the first whose log is shown. */
const tailLabel = (attempt: Attempt | undefined) => ((attempt?.ranks?.length ?? 0) > 1 ? 'Last lines of the log of rank 0' : 'Last lines of the log');

function Failure({ workload: w, attempt }: { workload: WorkloadDetails; attempt: Attempt | undefined }) {
  const tail = useQuery({ ...logTail({ workload: w.id, attempt: attempt?.number ?? null, rank: 0 }), enabled: attempt !== undefined });
  const may = useMayAct();
  const lines = tail.data ?? [];
  const cause = causeIn(lines);
  const what = attempt?.cause === 'Signal' && attempt.signal ? signalWords(attempt.signal) : [attempt ? causeWords(attempt.cause) : 'Failed', codeWords(attempt)].filter(Boolean).join(', ');
  const text = attempt?.message || w.phaseMessage;
  return (
    <Notice tone="bad" icon={<CircleX size={16} aria-hidden />}>
      <h2 className="failure-title break">{cause ?? what}</h2>
      <p className="small">
        {cause ? `${what}. ` : ''}
        {text && !cause && attempt?.cause !== 'Signal' ? sentence(text) : ''} {attempt?.stop ? stopWords(attempt.stop) : ''}
      </p>
      {lines.length > 0 ? (
        <pre className="log-tail" aria-label={tailLabel(attempt)} title={tailLabel(attempt)} tabIndex={0}>
          {lines.slice(-SHOWN).join('\n')}
        </pre>
      ) : null}
      <div className="row wrap">
        {may(w.type, 'create') ? (
          <Link className="button sm primary" to={`/workloads/new?from=${w.id}`}>
            <Copy size={13} aria-hidden /> Fix and run again
          </Link>
        ) : null}
        <Link className="button sm" to={`/workloads/${w.id}?tab=logs`}>
          <ScrollText size={13} aria-hidden /> {(attempt?.ranks?.length ?? 0) > 1 ? 'Logs of all ranks' : 'Full log'}
        </Link>
      </div>
    </Notice>
  );
}
