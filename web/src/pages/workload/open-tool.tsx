// One click from a running workload to its tool: Jupyter, VS Code, TensorBoard.
import { useQuery } from '@tanstack/react-query';
import { record } from '@/api/engine';
import type { Workload } from '@/api/queries';
import { toolsOf } from '@/pages/workload/connections';
import { isRunning, kindRoute } from '@/pages/workloads/kinds';
import { ExternalLink } from '@/ui/icons';

type Some = Pick<Workload, 'id' | 'name' | 'type' | 'phase' | 'projectName'>;

/** The tools that a running workload offers; none while it does not run. */
export function useTools(workload: Some, enabled = true) {
  const on = enabled && isRunning(workload.phase);
  const made = useQuery({ ...record(kindRoute(workload.type), workload.id), enabled: on, staleTime: 60_000 });
  return on ? toolsOf(made.data?.spec, workload).filter((tool) => tool.url !== null && tool.port !== null) : [];
}

/** Nothing where there is no tool to open. */
export function OpenTool({ workload, small, tone = 'primary' }: { workload: Some; small?: boolean; tone?: 'primary' | 'plain' }) {
  const tool = useTools(workload)[0];
  if (!tool?.url) return null;
  return (
    <a className={`button ${tone === 'primary' ? 'primary' : ''} ${small ? 'sm' : ''}`} href={tool.url} target="_blank" rel="noreferrer" aria-label={`Open ${tool.name} of ${workload.name}`}>
      <ExternalLink size={small ? 13 : 15} aria-hidden /> Open {tool.name}
    </a>
  );
}
