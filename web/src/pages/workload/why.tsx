import { useQuery } from '@tanstack/react-query';
import { ArrowRight, Clock, Lightbulb } from '@/ui/icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { isNotOffered } from '@/api/client';
import { engine, type Alternative, type Why } from '@/api/engine';
import type { WorkloadDetails } from '@/api/queries';
import { reasonWords } from '@/lib/reasons';
import { absolute, parseTime, startRange } from '@/lib/time';
import { applyChange } from '@/pages/workload/counterfactual';
import { FollowDialog } from '@/pages/workload/follow';
import { useMayAct } from '@/pages/workloads/kinds';
import { Button } from '@/ui/button';
import { Card } from '@/ui/page';
import { Failed, Skeleton } from '@/ui/state';
import { useNow } from '@/ui/time';

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
      <p className="why-message">{workload.phaseMessage || 'The server gives no reason yet.'}</p>
    </Card>
  );
}

function Explained({ why, workload }: { why: Why; workload: WorkloadDetails }) {
  const now = useNow();
  const earliest = parseTime(why.earliest);
  const latest = parseTime(why.latest);
  const range = startRange(earliest, latest, now);
  return (
    <Card title="Why it waits" actions={<span className="badge wait">{reasonWords(why.reason)}</span>}>
      <div className="stack">
        <p className="why-message">{why.message}</p>
        {why.further.length > 0 ? (
          <ul className="name-list small soft">
            {why.further.map((line) => (
              <li key={line}>{line}</li>
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
        </div>
        {why.ahead.length > 0 ? <p className="small soft break">Ahead of it: {why.ahead.slice(0, 12).join(', ')}{why.ahead.length > 12 ? ` and ${why.ahead.length - 12} more` : ''}</p> : null}
        <Alternatives list={why.alternatives} workload={workload} />
        <Lacks nodes={why.nodes} />
      </div>
    </Card>
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
            </span>
            {change && may(workload.type, 'create') ? (
              <span className="row">
                <Button small tone="primary" onClick={() => setFollowing({ words: option.change, change })}>
                  Start it so
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
                <td>{line.missing}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
