import { useQuery } from '@tanstack/react-query';
import { CircleX, Clock, Rocket } from '@/ui/icons';
import { useEffect, useState } from 'react';
import { ApiError } from '@/api/client';
import { dryRun, type Why } from '@/api/engine';
import { parseTime, startRange } from '@/lib/time';
import type { Draft } from '@/pages/new-workload/draft';
import { applyChange } from '@/pages/workload/counterfactual';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/state';
import { useNow } from '@/ui/time';

export interface Body {
  name: string;
  /** The name was proposed, not typed. */
  numberNameIfTaken?: boolean;
  projectId: string;
  clusterId: string;
  spec: Draft['spec'];
}

function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [key, milliseconds]); // eslint-disable-line
  return settled;
}

export interface ForecastProps {
  type: string;
  body: Body | null;
  gaps: string[];
  /** Makes the change that an alternative names. */
  apply: (change: URLSearchParams) => void;
  /** Told whether it can never run, so that submitting it is no ordinary thing. */
  onNever: (never: boolean) => void;
}

/** Would it start now, and if not, when: asked while the person types. */
export function Forecast({ type, body, gaps, apply, onNever }: ForecastProps) {
  const asked = useSettled({ type, body }, 350);
  const answer = useQuery({
    queryKey: ['why', 'dry-run', asked],
    queryFn: () => dryRun(asked.type, asked.body),
    enabled: asked.body !== null && gaps.length === 0,
    retry: false,
    staleTime: 5000,
  });
  const never = gaps.length === 0 && (answer.data?.never ?? false);
  useEffect(() => onNever(never), [never, onNever]);
  if (gaps.length > 0) return <Notice>Still needed: {gaps.join(', ')}.</Notice>;
  if (answer.isError) return <Refusal error={answer.error} />;
  if (!answer.data) return <Notice>Asking the scheduler…</Notice>;
  return <Answer why={answer.data} apply={apply} />;
}

function Refusal({ error }: { error: Error }) {
  if (error instanceof ApiError && error.notOffered) return <Notice>This server does not say yet when work would start.</Notice>;
  return (
    <Notice tone="bad" icon={<CircleX size={16} aria-hidden />}>
      {error.message}
    </Notice>
  );
}

const MOST_NODES = 3;

/** " on node-1", " on node-1, node-2 and 3 more". */
export function placeWords(nodes: string[]): string {
  if (nodes.length === 0) return '';
  const more = nodes.length - MOST_NODES;
  return ` on ${nodes.slice(0, MOST_NODES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function Answer({ why, apply }: { why: Why; apply: ForecastProps['apply'] }) {
  const now = useNow();
  if (why.reason === 'StartsNow') {
    return (
      <Notice tone="ok" icon={<Rocket size={16} aria-hidden />}>
        <span className="strong">Starts immediately{placeWords(why.startsOn ?? [])}.</span>
      </Notice>
    );
  }
  const range = startRange(parseTime(why.earliest), parseTime(why.latest), now);
  return (
    <Notice tone={why.never ? 'bad' : 'wait'} icon={why.never ? <CircleX size={16} aria-hidden /> : <Clock size={16} aria-hidden />}>
      <span className="strong">{why.never ? 'Cannot run here.' : range ? `Would start ${range}.` : 'Would wait.'}</span> {why.message}
      {why.alternatives.length > 0 ? (
        <ul className="stack tight small" aria-label="What would help">
          {why.alternatives.slice(0, 4).map((a) => (
            <Help key={a.change} change={a.change} outcome={a.outcome} apply={apply} />
          ))}
        </ul>
      ) : null}
    </Notice>
  );
}

function Help({ change, outcome, apply }: { change: string; outcome: string; apply: ForecastProps['apply'] }) {
  const params = applyChange(change);
  return (
    <li className="row">
      <span className="grow break">
        {change}: {outcome}
      </span>
      {params ? (
        <Button small onClick={() => apply(new URLSearchParams(params))}>
          Apply
        </Button>
      ) : null}
    </li>
  );
}
