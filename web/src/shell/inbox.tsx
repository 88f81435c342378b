// What happened to one's own work since one last looked: a bell with a number, and notifications of
// the browser for those who want them.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { queries, type Me, type Workload } from '@/api/queries';
import { keep, kept } from '@/lib/store';
import { plural } from '@/lib/quantity';
import { messageWords } from '@/lib/reasons';
import { Button } from '@/ui/button';
import { Check } from '@/ui/field';
import { Bell } from '@/ui/icons';
import { Phase } from '@/ui/phase';
import { Popover } from '@/ui/popover';
import { Time } from '@/ui/time';

const SEEN = 'gpuyard.inbox.seen';
const WANTED = 'gpuyard.inbox.browser';
const SHOWN = 12;
const DAYS = 7;

const endOf = (w: Workload) => Date.parse(w.completedAt ?? w.phaseUpdatedAt);

/** Own work that ended within a week, the newest first. */
function useEnded(me: Me): Workload[] {
  const [since] = useState(() => new Date(Date.now() - DAYS * 86_400_000).toISOString());
  const list = useQuery({
    ...queries.workloads({ filterBy: `submittedBy==${me.username},completedAt>=${since}`, sortBy: 'completedAt', sortOrder: 'desc', limit: SHOWN }),
    retry: false,
  });
  return list.data?.workloads ?? [];
}

/** Tells the browser of what ended while the page was not in view. */
function useBrowserNotes(ended: Workload[], wanted: boolean) {
  const told = useRef<number | null>(null);
  const newest = ended[0] ? endOf(ended[0]) : 0;
  useEffect(() => {
    const before = told.current;
    if (newest > 0) told.current = newest;
    if (before === null || !wanted || document.visibilityState === 'visible' || typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
    for (const w of ended.filter((one) => endOf(one) > before)) new Notification(`${w.name}: ${w.phase}`, { body: messageWords(w.phaseMessage ?? ''), tag: w.id });
  }, [ended, newest, wanted]);
}

export function Inbox({ me }: { me: Me }) {
  const ended = useEnded(me);
  const [seen, setSeen] = useState<number>(() => kept(SEEN, 0));
  const [wanted, setWanted] = useState<boolean>(() => kept(WANTED, false));
  useBrowserNotes(ended, wanted);
  const fresh = ended.filter((w) => endOf(w) > seen).length;
  const look = () => {
    const newest = ended[0] ? endOf(ended[0]) : 0;
    if (newest <= seen) return;
    keep(SEEN, newest);
    setSeen(newest);
  };
  const choose = async (on: boolean) => {
    const granted = on && typeof Notification !== 'undefined' && (await Notification.requestPermission()) === 'granted';
    keep(WANTED, granted);
    setWanted(granted);
  };
  return (
    <Popover
      label="Inbox"
      onOpenChange={(open) => !open && look()}
      trigger={
        <Button tone="quiet" className="icon inbox" aria-label={fresh > 0 ? `Inbox, ${plural(fresh, 'new message')}` : 'Inbox'}>
          <Bell size={16} aria-hidden />
          {fresh > 0 ? (
            <span className="inbox-count" aria-hidden>
              {fresh > 9 ? '9+' : fresh}
            </span>
          ) : null}
        </Button>
      }
    >
      <div className="stack tight inbox-list">
        <div className="strong small">Your work, last {DAYS} days</div>
        {ended.length === 0 ? <p className="small muted">Nothing has ended.</p> : null}
        <ul className="stack tight">
          {ended.map((w) => (
            <li key={w.id} className={`inbox-item small ${endOf(w) > seen ? 'fresh' : ''}`}>
              <span className="row between">
                <Link className="strong clip" to={`/workloads/${w.id}`}>
                  {w.name}
                </Link>
                <Phase phase={w.phase} />
              </span>
              <span className="tiny muted">
                {w.projectName} · <Time at={w.completedAt ?? w.phaseUpdatedAt} />
              </span>
            </li>
          ))}
        </ul>
        <Check label="Notify me in this browser" checked={wanted} onChange={(on) => void choose(on)} />
        <Link className="small" to="/notifications">
          By mail, Slack or webhook
        </Link>
      </div>
    </Popover>
  );
}
