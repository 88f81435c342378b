// What the program was: its code, its command, what was around it.
import { useQuery } from '@tanstack/react-query';
import { record } from '@/api/engine';
import { isForbidden } from '@/api/client';
import type { WorkloadDetails } from '@/api/queries';
import { runs, type Run } from '@/api/runs';
import { look } from '@/pages/runs/preview';
import { kindRoute } from '@/pages/workloads/kinds';
import { Copy } from '@/ui/copy';
import { Card, Facts } from '@/ui/page';
import { Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';

export const tagOf = (run: Run, name: string) => (run.tags as Record<string, string>)[name];

/** The command as the program or MLflow's client has noted it. */
export function commandOf(run: Run): string | undefined {
  const noted = tagOf(run, 'command');
  if (!noted) return tagOf(run, 'mlflow.source.name');
  try {
    const words = JSON.parse(noted) as unknown;
    return Array.isArray(words) ? words.join(' ') : noted;
  } catch {
    return noted;
  }
}

/** Files that hold changes, and what was installed; clients put them there under these names. */
const FILES = /(\.patch|\.diff|^requirements.*\.txt|^conda\.ya?ml|^python_env\.yaml)$/i;
const FOLDERS = ['', 'code'];

const mono = (text: string | undefined) => (text ? <code className="small break">{text}</code> : null);

export function Code({ run, workload }: { run: Run; workload?: WorkloadDetails }) {
  const command = commandOf(run);
  return (
    <div className="stack">
      <div className="grid">
        <Card title="Code">
          <Facts
            rows={[
              ['Commit', tagOf(run, 'mlflow.source.git.commit') ? <span key="c" className="row">{mono(tagOf(run, 'mlflow.source.git.commit'))}<Copy text={tagOf(run, 'mlflow.source.git.commit') ?? ''} label="Copy the commit" /></span> : null],
              ['Branch', mono(tagOf(run, 'mlflow.source.git.branch'))],
              ['Repository', mono(tagOf(run, 'mlflow.source.git.repoURL'))],
              ['Command', mono(command)],
              ['Python', mono(tagOf(run, 'gpuyard.python'))],
            ]}
          />
        </Card>
        {workload ? <Around workload={workload} /> : null}
      </div>
      <Changes id={run.id} />
    </div>
  );
}

type Variable = { name?: string; value?: string | null };
const VARIABLES: Column<Variable>[] = [
  { id: 'name', header: 'Name', cell: (v) => <span className="break mono">{v.name}</span> },
  // A value that comes from a credential is not part of what was submitted.
  { id: 'value', header: 'Value', cell: (v) => (v.value === undefined || v.value === null ? <span className="muted">from a credential</span> : <span className="break mono">{v.value}</span>) },
];

/** What was submitted: the image and the variables. */
function Around({ workload }: { workload: WorkloadDetails }) {
  const made = useQuery({ ...record(kindRoute(workload.type), workload.id), retry: false });
  const variables = ((made.data?.spec as { environmentVariables?: Variable[] | null } | undefined)?.environmentVariables ?? []) as Variable[];
  return (
    <Card title="Environment">
      {made.isPending ? (
        <Skeleton />
      ) : (
        <div className="stack">
          <Facts rows={[['Image', workload.images?.length ? mono(workload.images.join(', ')) : 'none: a plain process on the node'], ['Nodes', workload.nodes?.join(', ') || null]]} />
          {variables.length > 0 ? <Table label="Environment variables" columns={VARIABLES} rows={variables} rowId={(v) => v.name ?? ''} density="compact" /> : <p className="muted small">No variable was set.</p>}
        </div>
      )}
    </Card>
  );
}

function Changes({ id }: { id: string }) {
  const top = useQuery(runs.files(id, FOLDERS[0] as string));
  const hasFolder = top.data?.some((file) => file.folder && file.name === 'code') ?? false;
  const below = useQuery({ ...runs.files(id, 'code'), enabled: hasFolder });
  const found = [...(top.data ?? []).map((file) => ({ ...file, path: file.name })), ...(below.data ?? []).map((file) => ({ ...file, path: `code/${file.name}` }))].filter((file) => !file.folder && FILES.test(file.name));
  if (top.isPending) return <Skeleton />;
  if (top.isError && isForbidden(top.error)) return null;
  if (found.length === 0) return <p className="muted small">Changes that were not committed appear here when a program logs them as <code>code/diff.patch</code>, and what was installed as <code>requirements.txt</code>.</p>;
  return (
    <>
      {found.map((file) => (
        <CodeFile key={file.path} id={id} path={file.path} bytes={file.bytes} />
      ))}
    </>
  );
}

const lineClass = (line: string) => (/^(\+\+\+|---|diff |index |@@)/.test(line) ? 'diff-head' : line.startsWith('+') ? 'diff-added' : line.startsWith('-') ? 'diff-gone' : undefined);

function CodeFile({ id, path, bytes }: { id: string; path: string; bytes: number }) {
  const seen = useQuery({ queryKey: ['run', 'look', id, path], queryFn: () => look(id, path, bytes), retry: false });
  const text = seen.data?.kind === 'text' ? seen.data : null;
  const isDiff = /\.(patch|diff)$/i.test(path);
  return (
    <Card title={<span className="break">{path}</span>}>
      {seen.isPending ? (
        <Skeleton />
      ) : text === null ? (
        <p className="muted">It cannot be read.</p>
      ) : (
        <pre className="run-text" tabIndex={0}>
          {isDiff ? text.text.split('\n').map((line, i) => <span key={i} className={lineClass(line)}>{`${line}\n`}</span>) : text.text}
        </pre>
      )}
      {text?.cut ? <p className="muted small">The beginning only; the tab “Files” has all of it.</p> : null}
    </Card>
  );
}
