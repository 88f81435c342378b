// Running work as the lab's own queue page shows it: grouped by whose nth GPU it holds.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { engine, type RunningLine } from '@/api/engine';
import { queries } from '@/api/queries';
import { gpus, plural } from '@/lib/quantity';
import { useProject } from '@/shell/project';
import { ListOrdered } from '@/ui/icons';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Elapsed } from '@/ui/time';

const SHOWN = 400;

const ENDINGS: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const nth = (n: number) => `${n}${ENDINGS[ordinals.select(n)] ?? 'th'}`;

interface Group {
  rank: number;
  lines: RunningLine[];
}

/** Neighbours with the same rank belong together; the server has put them in order. */
export function groupsOf(lines: RunningLine[]): Group[] {
  const groups: Group[] = [];
  for (const line of lines) {
    const rank = line.held > 0 ? Math.ceil(line.userOrdinal) : 0;
    const last = groups.at(-1);
    if (last?.rank === rank) last.lines.push(line);
    else groups.push({ rank, lines: [line] });
  }
  return groups;
}

export function Running() {
  const running = useQuery({ ...engine.running, retry: false });
  const projects = useQuery(queries.projects);
  const [project] = useProject();
  const name = projects.data?.find((p) => p.id === project)?.name;
  const lines = (running.data ?? []).filter((l) => !name || l.projectName === name);
  const held = lines.reduce((sum, l) => sum + l.held, 0);
  return (
    <>
      {lines.length > 0 ? (
        <p className="small soft">
          {plural(lines.length, 'workload')} in your view {lines.length === 1 ? 'holds' : 'hold'} {gpus(held)} GPUs. Whoever is lower on this list holds more than others above.
        </p>
      ) : null}
      <section className="card">
        {running.isPending ? (
          <div className="card-body">
            <Skeleton lines={6} />
          </div>
        ) : running.isError ? (
          <Failed error={running.error} what="the order of running work" retry={() => void running.refetch()} />
        ) : lines.length === 0 ? (
          <Empty title="Nothing runs" icon={<ListOrdered size={20} />}>
            Running work is listed here by whose first, second or nth GPU it holds.
          </Empty>
        ) : (
          <Lines lines={lines.slice(0, SHOWN)} left={lines.length - SHOWN} />
        )}
      </section>
    </>
  );
}

function Lines({ lines, left }: { lines: RunningLine[]; left: number }) {
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label="Running work by nth GPU">
      <table className="table">
        <thead>
          <tr>
            {['Workload', 'Project', 'By', 'Runs for'].map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
            {['GPUs', "Person's GPU", 'GPUs down to here'].map((text) => (
              <th key={text} scope="col" className="right">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        {groupsOf(lines).map((group, index) => (
          <tbody key={index}>
            <tr className="group-row">
              <th colSpan={7} scope="rowgroup">
                {group.rank === 0 ? 'Without a GPU' : `${nth(group.rank)} GPU of a person`}
              </th>
            </tr>
            {group.lines.map((line) => (
              <Line key={line.workloadId} line={line} />
            ))}
          </tbody>
        ))}
      </table>
      {left > 0 ? <p className="card-body small muted">{plural(left, 'more workload')} further down.</p> : null}
    </div>
  );
}

function Line({ line }: { line: RunningLine }) {
  return (
    <tr>
      <td>
        <Link className="strong" to={`/workloads/${line.workloadId}`}>
          {line.name}
        </Link>
      </td>
      <td>{line.projectName}</td>
      <td>{line.userName}</td>
      <td>
        <Elapsed from={line.startedAt} />
      </td>
      <td className="right num">{gpus(line.held)}</td>
      <td className="right num">{line.held > 0 ? gpus(line.userOrdinal) : '–'}</td>
      <td className="right num">{gpus(line.globalOrdinal)}</td>
    </tr>
  );
}
