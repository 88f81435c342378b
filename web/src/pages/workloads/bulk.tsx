import { CircleStop, Play, Trash2 } from '@/ui/icons';
import { useState } from 'react';
import type { Workload } from '@/api/queries';
import { plural } from '@/lib/quantity';
import { each, isRunning, remove, resume, suspend, useMayAct } from '@/pages/workloads/kinds';
import { Button } from '@/ui/button';
import { Confirm } from '@/ui/confirm';
import { toast } from '@/ui/toast';

type Kind = 'stop' | 'resume' | 'delete';

const WORDS: Record<Kind, { action: string; done: string; says: string }> = {
  stop: { action: 'Stop', done: 'stopped', says: 'Their processes end and their GPUs are given back. Logs, attempts and files on mounted storage stay; what is only in memory or in the container is lost. They can be resumed.' },
  resume: { action: 'Resume', done: 'resumed', says: 'They join the queue again and start when there is room.' },
  delete: { action: 'Delete', done: 'deleted', says: 'They are stopped and taken off the list. Logs and output folders stay at the addresses of their pages for 30 days, then they go. Files on mounted storage and saved data sets stay; this cannot be undone.' },
};
const RUN = { stop: suspend, resume, delete: remove };

/** What can be done to the chosen rows, with the consequence said first. */
export function BulkBar({ rows, clear }: { rows: Workload[]; clear: () => void }) {
  const [asking, setAsking] = useState<Kind | null>(null);
  const mayAct = useMayAct();
  const may = (action: string) => rows.every((w) => mayAct(w.type, action));
  if (rows.length === 0) return null;
  const running = rows.filter((w) => isRunning(w.phase)).length;
  const run = async (kind: Kind) => {
    await each(rows, RUN[kind]);
    toast(`${plural(rows.length, 'workload')} ${WORDS[kind].done}`);
    clear();
  };
  return (
    <div className="bulk" role="toolbar" aria-label="Selected workloads">
      <span className="strong">{plural(rows.length, 'workload')} selected</span>
      {may('update') ? (
        <>
          <Button small icon={<CircleStop size={14} />} onClick={() => setAsking('stop')}>
            Stop
          </Button>
          <Button small icon={<Play size={14} />} onClick={() => setAsking('resume')}>
            Resume
          </Button>
        </>
      ) : null}
      {may('delete') ? (
        <Button small tone="danger" icon={<Trash2 size={14} />} onClick={() => setAsking('delete')}>
          Delete
        </Button>
      ) : null}
      <Button small tone="quiet" onClick={clear}>
        Clear selection
      </Button>
      {asking ? (
        <Confirm title={`${WORDS[asking].action} ${plural(rows.length, 'workload')}?`} action={WORDS[asking].action} danger={asking !== 'resume'} run={() => run(asking)} onClose={() => setAsking(null)}>
          <p>{WORDS[asking].says}</p>
          {running > 0 && asking !== 'resume' ? <p className="strong">{plural(running, 'of them is running now', 'of them are running now')}.</p> : null}
          <ul className="name-list small">
            {rows.slice(0, 8).map((w) => (
              <li key={w.id}>
                {w.projectName}/{w.name}
              </li>
            ))}
            {rows.length > 8 ? <li>and {rows.length - 8} more</li> : null}
          </ul>
        </Confirm>
      ) : null}
    </div>
  );
}
