import { useQuery } from '@tanstack/react-query';
import { CircleX, Clock, Rocket } from '@/ui/icons';
import { useEffect, useState } from 'react';
import { ApiError } from '@/api/client';
import { dryRun, type Why } from '@/api/engine';
import { parseTime, startRange } from '@/lib/time';
import type { Draft } from '@/pages/new-workload/draft';
import { Notice } from '@/ui/state';
import { useNow } from '@/ui/time';

export interface Body {
  name: string;
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

/** Would it start now, and if not, when: asked while the person types. */
export function Forecast({ type, body, gaps }: { type: string; body: Body | null; gaps: string[] }) {
  const asked = useSettled({ type, body }, 350);
  const answer = useQuery({
    queryKey: ['why', 'dry-run', asked],
    queryFn: () => dryRun(asked.type, asked.body),
    enabled: asked.body !== null && gaps.length === 0,
    retry: false,
    staleTime: 5000,
  });
  if (gaps.length > 0) return <Notice>Still needed: {gaps.join(', ')}.</Notice>;
  if (answer.isError) return <Refusal error={answer.error} />;
  if (!answer.data) return <Notice>Asking the scheduler…</Notice>;
  return <Answer why={answer.data} />;
}

function Refusal({ error }: { error: Error }) {
  if (error instanceof ApiError && error.notOffered) return <Notice>This server does not say yet when work would start.</Notice>;
  return (
    <Notice tone="bad" icon={<CircleX size={16} aria-hidden />}>
      {error.message}
    </Notice>
  );
}

function Answer({ why }: { why: Why }) {
  const now = useNow();
  if (why.reason === 'StartsNow') {
    return (
      <Notice tone="ok" icon={<Rocket size={16} aria-hidden />}>
        <span className="strong">Would start now.</span> {why.message}
      </Notice>
    );
  }
  const range = startRange(parseTime(why.earliest), parseTime(why.latest), now);
  return (
    <Notice tone="wait" icon={<Clock size={16} aria-hidden />}>
      <span className="strong">{range ? `Would start ${range}.` : 'Would wait.'}</span> {why.message}
      {why.alternatives.length > 0 ? (
        <ul className="name-list small">
          {why.alternatives.slice(0, 4).map((a) => (
            <li key={a.change}>
              {a.change}: {a.outcome}
            </li>
          ))}
        </ul>
      ) : null}
    </Notice>
  );
}
