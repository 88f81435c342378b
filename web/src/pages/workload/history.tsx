import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@/api/client';
import { engine } from '@/api/engine';
import { Card } from '@/ui/page';
import { Phase } from '@/ui/phase';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { FullTime } from '@/ui/time';

type Line = Schemas['HistoryRecord'];
/** Everything that happened to it, newest first. */
export function History({ id }: { id: string }) {
  const history = useQuery(engine.history(id));
  if (history.isPending) return <Skeleton />;
  if (history.isError) return <Card><Failed small error={history.error} what="the history" /></Card>;
  const lines = [...history.data].sort((a, b) => b.meta.creationTimestamp.localeCompare(a.meta.creationTimestamp));
  return (
    <Card>
      {lines.length === 0 ? (
        <Empty small title="Nothing has happened yet" />
      ) : (
        <ol className="timeline">
          {lines.map((line, index) => (
            <Entry key={`${line.meta.creationTimestamp}${index}`} line={line} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function Entry({ line }: { line: Line }) {
  const { event, phaseUpdate } = line.spec;
  return (
    <li className={`event ${event?.type === 'Warning' ? 'warn' : ''}`}>
      <div className="row wrap">
        {phaseUpdate ? <Phase phase={phaseUpdate.phase} /> : <span className="strong">{event?.reason || event?.type || 'Event'}</span>}
        <span className="tiny muted">
          <FullTime at={line.meta.creationTimestamp} />
        </span>
      </div>
      <p className="small soft break">{phaseUpdate?.phaseMessage ?? event?.message}</p>
    </li>
  );
}
