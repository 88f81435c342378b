import { useQuery } from '@tanstack/react-query';
import { ExternalLink, Plug } from '@/ui/icons';
import { record } from '@/api/engine';
import type { WorkloadDetails } from '@/api/queries';
import { here } from '@/lib/place';
import { withToken } from '@/pages/new-workload/presets';
import { useNoEntry } from '@/pages/workload/enter';
import { isRunning, kindRoute } from '@/pages/workloads/kinds';
import { CodeBox } from '@/ui/copy';
import { Card } from '@/ui/page';
import { Empty, Failed, Notice, Skeleton } from '@/ui/state';

interface Tool {
  name: string;
  port: number | null;
  url: string | null;
}

interface PortSpec {
  container?: number;
  name?: string;
  toolName?: string;
  toolType?: string;
  url?: string;
}

export function toolsOf(spec: Record<string, unknown> | undefined, workload: Pick<WorkloadDetails, 'projectName' | 'name'>): Tool[] {
  const list = (key: string) => ((spec?.[key] as PortSpec[] | null | undefined) ?? []) as PortSpec[];
  const base = `/${workload.projectName}/${workload.name}/`;
  return [
    ...list('exposedUrls').map((p) => ({ name: p.toolName || p.name || p.toolType || `Port ${p.container}`, port: p.container ?? null, url: p.url ? safeUrl(p.url) : here(`/open?tool=${encodeURIComponent(withToken(base, p.toolType, spec))}`) })),
    ...list('ports').map((p) => ({ name: p.toolName || p.name || p.toolType || `Port ${p.container}`, port: p.container ?? null, url: null })),
    ...list('relatedUrls').map((p) => ({ name: p.name || p.toolType || 'Link', port: null, url: safeUrl(p.url ?? '') })),
  ];
}

/** A link someone else typed is only followed when it leads to a web page. */
export function safeUrl(text: string): string | null {
  try {
    const url = new URL(text, 'http://localhost');
    return ['http:', 'https:'].includes(url.protocol) ? text : null;
  } catch {
    return null;
  }
}

export function Connections({ workload }: { workload: WorkloadDetails }) {
  const spec = useQuery(record(kindRoute(workload.type), workload.id));
  const tools = toolsOf(spec.data?.spec, workload);
  const running = isRunning(workload.phase);
  const closed = useNoEntry(workload) !== null;
  return (
    <div className="stack">
      {running ? null : <Notice>Not running: connections work while it runs.</Notice>}
      <Card title="Tools">
        {spec.isPending ? (
          <Skeleton />
        ) : spec.isError ? (
          <Failed small error={spec.error} what="the tools" retry={() => void spec.refetch()} />
        ) : tools.length === 0 ? (
          <Empty small title="No tool is exposed" icon={<Plug size={20} />}>
            An environment with a connection, such as Jupyter or TensorBoard, puts its link here.
          </Empty>
        ) : (
          <ul className="stack tight">
            {tools.map((tool, index) => (
              <li key={`${index}${tool.name}`} className="option">
                <span className="grow">
                  <span className="strong">{tool.name}</span> {tool.port ? <span className="muted small">port {tool.port}</span> : null}
                </span>
                {tool.url && running ? (
                  <a className="button sm" href={tool.url} target="_blank" rel="noreferrer">
                    <ExternalLink size={13} aria-hidden /> Open
                  </a>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="On the command line">
        <div className="stack tight">
          {closed ? null : <Entering workload={workload} port={tools.find((t) => t.port)?.port ?? 8888} />}
          <Command label="Follow the log" text={`gpuyard logs -f ${workload.name} -p ${workload.projectName}`} />
        </div>
      </Card>
    </div>
  );
}

/** A command with what it is for. */
function Command({ label, text }: { label: string; text: string }) {
  return (
    <div className="stack close">
      <span className="small soft">{label}</span>
      <CodeBox wraps label={label} text={text} />
    </div>
  );
}

/** Ways in for those who may go in. */
function Entering({ workload, port }: { workload: WorkloadDetails; port: number }) {
  return (
    <>
      <Command label="Enter with ssh" text={`gpuyard ssh ${workload.name} -p ${workload.projectName}`} />
      <Command label="VS Code: add it as an ssh host, then connect to it" text={`gpuyard ssh ${workload.name} -p ${workload.projectName} --config >> ~/.ssh/config`} />
      <Command label="Open a shell" text={`gpuyard shell ${workload.name} -p ${workload.projectName}`} />
      <Command label="Forward a port" text={`gpuyard forward ${workload.name} -p ${workload.projectName} 8888:${port}`} />
      <Command label="Copy files" text={`gpuyard cp ${workload.name}:results/ ./results -p ${workload.projectName}`} />
    </>
  );
}
