import { useEffect } from 'react';
import { Store, useStore } from '@/lib/store';
import { absolute, duration, parseTime, relative } from '@/lib/time';
import { Tip } from '@/ui/tip';

// One clock for the page; it only ticks while something shows a time.
const clock = new Store(Date.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | null = null;

export function useNow(): number {
  useEffect(() => {
    users += 1;
    // The clock stood still while nobody looked at it.
    if (users === 1) clock.set(Date.now());
    timer ??= setInterval(() => clock.set(Date.now()), 1000);
    return () => {
      users -= 1;
      if (users === 0 && timer !== null) {
        clearInterval(timer);
        timer = null;
      }
    };
  }, []);
  return useStore(clock);
}

/** A server's clock may be a little ahead of the browser's: what it has just done is not to come. */
const AHEAD = 60_000;
export const shownMoment = (moment: number, now: number) => (moment > now && moment - now < AHEAD ? now : moment);

/** A moment: relative to read, absolute on hover and for machines. */
export function Time({ at }: { at: string | null | undefined }) {
  const now = useNow();
  const moment = parseTime(at);
  if (moment === null) return <span className="muted">–</span>;
  return (
    <Tip text={absolute(moment)}>
      <time dateTime={at ?? undefined} className="nowrap num">
        {relative(shownMoment(moment, now), now)}
      </time>
    </Tip>
  );
}

/** The same with the absolute time beside it. */
export function FullTime({ at }: { at: string | null | undefined }) {
  const now = useNow();
  const moment = parseTime(at);
  if (moment === null) return <span className="muted">–</span>;
  return (
    <time dateTime={at ?? undefined} className="num">
      {relative(moment, now)} <span className="muted">· {absolute(moment)}</span>
    </time>
  );
}

/** How long something took, or takes so far. */
export function Elapsed({ from, to }: { from: string | null | undefined; to?: string | null }) {
  const now = useNow();
  const start = parseTime(from);
  if (start === null) return <span className="muted">–</span>;
  return <span className="nowrap num">{duration(((parseTime(to) ?? now) - start) / 1000)}</span>;
}
