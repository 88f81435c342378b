import { useQuery } from '@tanstack/react-query';
import { ArrowRight, CircleX, Clock, Lightbulb } from '@/ui/icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { isNotOffered } from '@/api/client';
import { engine, type Alternative, type Holder, type Why } from '@/api/engine';
import { queries, type Workload, type WorkloadDetails } from '@/api/queries';
import { plural } from '@/lib/quantity';
import { ActionDialog } from '@/pages/workload/actions';
import { messageWords, reasonWords } from '@/lib/reasons';
import { absolute, parseTime, startRange } from '@/lib/time';
import { applyChange } from '@/pages/workload/counterfactual';
import { FollowDialog } from '@/pages/workload/follow';
import { useMayAct } from '@/pages/workloads/kinds';
import { Button } from '@/ui/button';
import { Card } from '@/ui/page';
import { Failed, Notice, Skeleton } from '@/ui/state';
import { Elapsed, useNow } from '@/ui/time';

/** Why it waits, who is ahead, when it may start, and what would help. */
export function WhyPanel({ workload }: { workload: WorkloadDetails }) {
  const why = useQuery(engine.why(workload.id));
  if (why.isPending) {
    return (
      <Card title="Why it waits">
        <Skeleton />
      </Card>
    );
  }
  if (why.isError) return isNotOffered(why.error) ? <PhaseOnly workload={workload} /> : <Card title="Why it waits"><Failed small error={why.error} what="the explanation" /></Card>;
  return <Explained why={why.data} workload={workload} />;
}

function PhaseOnly({ workload }: { workload: WorkloadDetails }) {
  return (
    <Card title="Why it waits">
      <p className="why-message">{messageWords(workload.phaseMessage) || 'The server gives no reason yet.'}</p>
    </Card>
  );
}

function Explained({ why, workload }: { why: Why; workload: WorkloadDetails }) {
  const now = useNow();
  const earliest = parseTime(why.earliest);
  const latest = parseTime(why.latest);
  const range = startRange(earliest, latest, now);
  return (
    <Card title={why.never ? 'Why it cannot run here' : 'Why it waits'} actions={<span className={why.never ? 'badge bad' : 'badge wait'}>{why.never ? 'Cannot run here' : reasonWords(why.reason)}</span>}>
      <div className="stack">
        {why.never ? (
          <Notice tone="bad" icon={<CircleX size={16} aria-hidden />}>
            <span className="strong">Cannot run here.</span> {messageWords(why.message)} It waits forever unless something changes.
          </Notice>
        ) : (
          <p className="why-message">{messageWords(why.message)}</p>
        )}
        {why.further.length > 0 ? (
          <ul className="name-list small soft">
            {why.further.map((line) => (
              <li key={line}>{messageWords(line)}</li>
            ))}
          </ul>
        ) : null}
        <div className="row wrap small soft">
          {why.position ? <span>Position {why.position} in the queue</span> : null}
          {range ? (
            <span className="row" title={earliest ? absolute(earliest) : undefined}>
              <Clock size={14} aria-hidden /> starts {range}
            </span>
          ) : null}
          {why.basis ? <span className="muted">({why.basis})</span> : null}
          {!range && !why.never && why.noForecast ? <span className="muted">No forecast: {why.noForecast}</span> : null}
        </div>
        <Holders list={why.holders} />
        {why.ahead.length > 0 ? <p className="small soft break">Ahead of it: {why.ahead.slice(0, 12).join(', ')}{why.ahead.length > 12 ? ` and ${why.ahead.length - 12} more` : ''}</p> : null}
        <Alternatives list={why.alternatives} workload={workload} />
        {ROOM.includes(why.reason) && !why.never ? <OwnWork except={workload.id} /> : null}
        <Lacks nodes={why.nodes} />
      </div>
    </Card>
  );
}

/** Who holds what is missing, as far as the reader may know. */
function Holders({ list }: { list: Holder[] }) {
  if (list.length === 0) return null;
  return (
    <p className="small soft break">
      Held by: {list.map((one) => (one.workload ? `${one.project}/${one.workload} of ${one.user} (${one.amount})` : one.amount)).join(', ')}
    </p>
  );
}

function Alternatives({ list, workload }: { list: Alternative[]; workload: WorkloadDetails }) {
  const [following, setFollowing] = useState<{ words: string; change: string } | null>(null);
  const may = useMayAct();
  if (list.length === 0) return null;
  return (
    <div className="stack tight">
      {following ? <FollowDialog workload={workload} {...following} onClose={() => setFollowing(null)} /> : null}
      <h3 className="row">
        <Lightbulb size={15} aria-hidden /> What would help
      </h3>
      {list.map((option) => {
        const change = applyChange(option.change);
        return (
          <div key={option.change} className="option">
            <span className="grow break">
              <span className="strong">{option.change}</span> <ArrowRight size={13} aria-hidden /> {option.outcome}
              {option.price.length > 0 ? <span className="muted"> ({option.price.join(', ')})</span> : null}
              {option.command ? <code className="small break"> {option.command}</code> : null}
            </span>
            {change && may(workload.type, 'create') ? (
              <span className="row">
                <Button small tone="primary" onClick={() => setFollowing({ words: option.change, change })}>
                  Apply and start
                </Button>
                <Link className="button sm" to={`/workloads/new?from=${workload.id}&${change}`}>
                  Edit first
                </Link>
              </span>
            ) : null}
          </div>
        );
      })}
    </div>
  );
}

// What GPUs that come free would end.
const ROOM = ['Gpus', 'Fragmented', 'Gang', 'Behind', 'Backfill', 'OverLimit', 'NonPreemptibleOverQuota', 'UserGpuCap', 'UserInteractiveCap'];

/** Work of the same person that holds GPUs: often a notebook that nobody uses any more. */
function OwnWork({ except }: { except: string }) {
  const me = useQuery(queries.me).data?.username;
  const mine = useQuery({ ...queries.workloads({ filterBy: `submittedBy==${me ?? ''},phase==Running`, limit: 50 }), enabled: me !== undefined });
  const [stopping, setStopping] = useState<Workload | null>(null);
  const may = useMayAct();
  const held = (mine.data?.workloads ?? []).filter((w) => w.id !== except && (w.allocatedResources?.gpu ?? 0) > 0);
  if (held.length === 0) return null;
  return (
    <div className="stack tight">
      <h3>Your own work that uses GPUs</h3>
      {held.slice(0, 5).map((w) => (
        <div key={w.id} className="option">
          <span className="grow break">
            <Link className="strong" to={`/workloads/${w.id}`}>
              {w.name}
            </Link>{' '}
            uses {plural(w.allocatedResources?.gpu ?? 0, 'GPU')}
            {w.idleAllocatedGpus ? `, ${plural(w.idleAllocatedGpus, 'of them idle', 'of them idle')}` : ''}, for <Elapsed from={w.phaseUpdatedAt} />
          </span>
          {may(w.type, 'update') ? (
            <Button small onClick={() => setStopping(w)}>
              Stop…
            </Button>
          ) : null}
        </div>
      ))}
      {stopping ? <ActionDialog action="stop" workload={stopping} onClose={() => setStopping(null)} /> : null}
    </div>
  );
}

function Lacks({ nodes }: { nodes: Why['nodes'] }) {
  if (nodes.length === 0) return null;
  return (
    <details className="details">
      <summary>What each node lacks ({nodes.length})</summary>
      <div className="table-wrap" tabIndex={0} role="region" aria-label="What each node lacks">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">Missing</th>
            </tr>
          </thead>
          <tbody>
            {nodes.slice(0, 200).map((line) => (
              <tr key={line.node}>
                <td className="mono">{line.node}</td>
                <td>{messageWords(line.missing)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
