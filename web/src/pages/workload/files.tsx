import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useAllowed, type WorkloadDetails } from '@/api/queries';
import { runs } from '@/api/runs';
import { RunFiles } from '@/pages/runs/files';
import '@/pages/runs/runs.css';
import { useNoEntry } from '@/pages/workload/enter';
import { Browser } from '@/pages/workload/file-browser';
import { Outputs } from '@/pages/workload/file-outputs';
import { isRunning } from '@/pages/workloads/kinds';

export default function Files({ workload }: { workload: WorkloadDetails }) {
  const closed = useNoEntry(workload);
  if (isRunning(workload.phase)) return closed ?? <Browser workload={workload} />;
  return (
    <div className="stack">
      {closed ?? <Outputs workload={workload} />}
      <Logged workload={workload} />
    </div>
  );
}

/** Files that the program has logged as artifacts of its runs. */
function Logged({ workload }: { workload: WorkloadDetails }) {
  const allowed = useAllowed();
  const list = useQuery({ ...runs.list({ workloadId: workload.id, limit: 20 }), enabled: allowed('trainings'), retry: false });
  const [chosen, setChosen] = useState('');
  const found = list.data?.runs ?? [];
  const run = found.find((one) => one.id === chosen) ?? found[0];
  if (!run) return null;
  return (
    <>
      <div className="row wrap">
        <span className="small soft">Files that it has logged in</span>
        {found.length > 1 ? (
          <select className="select auto" aria-label="Run" value={run.id} onChange={(e) => setChosen(e.target.value)}>
            {found.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        ) : (
          <Link to={`/runs/${run.id}`}>{run.name}</Link>
        )}
      </div>
      <RunFiles key={run.id} id={run.id} />
    </>
  );
}
