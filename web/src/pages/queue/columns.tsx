// What is shown of a place in the queue: every number it is made of.
import { Link } from 'react-router-dom';
import type { Schemas } from '@/api/client';
import type { QueueLine } from '@/api/engine';
import { gpus } from '@/lib/quantity';
import { isLasting, reasonWords } from '@/lib/reasons';
import { absolute, parseTime, startRange } from '@/lib/time';
import { Badge } from '@/ui/badge';
import { Bar } from '@/ui/bar';
import type { Column } from '@/ui/table';
import { Time, useNow } from '@/ui/time';

function Start({ line }: { line: QueueLine }) {
  const now = useNow();
  const earliest = parseTime(line.earliest);
  const range = startRange(earliest, parseTime(line.latest), now);
  if (!range && isLasting(line.reason)) return <span className="field-error">cannot start here</span>;
  if (!range) return <span className="muted">not known</span>;
  return <span title={earliest ? absolute(earliest) : undefined}>{range}</span>;
}

function unitWords(unit: Schemas['UnitTerms']): string {
  const quota = unit.quota === null || unit.quota === undefined ? 'without a quota' : `quota ${gpus(unit.quota)}`;
  return `holds ${gpus(unit.held)}, ${gpus(unit.ahead)} ahead in the queue, fair share ${gpus(unit.share)}, ${quota}, priority ${unit.priority}`;
}

/** What a place is decided by, from the widest level to the workload. */
export function decidedBy(terms: Schemas['QueueTerms']): string {
  const words: string[] = [];
  if (terms.department) words.push(`department ${unitWords(terms.department)}`);
  if (terms.project) words.push(`project ${unitWords(terms.project)}`);
  if (terms.nthGpu !== null && terms.nthGpu !== undefined) words.push(`person’s GPU ${gpus(terms.nthGpu)}`);
  if (terms.policy === 'FairShare' || terms.policy === 'DecayedShare') words.push(`priority ${terms.priority}`);
  return [...words, 'age'].join(' · ');
}

/** What a unit holds in a node pool against its fair share there; above it others come first. */
function Share({ unit, pool }: { unit: Schemas['UnitTerms'] | null | undefined; pool: string | undefined }) {
  if (!unit) return <span className="muted">–</span>;
  const label = `${pool ? `In the pool ${pool}: ` : ''}${unitWords(unit)}`;
  return (
    <span className="share" title={label}>
      <Bar label={label} total={Math.max(unit.share, unit.held)} segments={[{ value: Math.min(unit.held, unit.share), color: 'var(--accent)', label: 'within' }, { value: Math.max(0, unit.held - unit.share), color: 'var(--chart-3)', label: 'above' }]} />
      <span className="num">
        {gpus(unit.held)} / {gpus(unit.share)}
      </span>
      {pool ? <span className="muted tiny share-pool">in {pool}</span> : null}
    </span>
  );
}

const none = <span className="muted">–</span>;

export const COLUMNS: Column<QueueLine>[] = [
  { id: 'position', header: 'Place', right: true, cell: (l) => (l.position > 0 && !isLasting(l.reason) ? l.position : none) },
  {
    id: 'name',
    header: 'Workload',
    cell: (l) => (
      <Link className="strong" to={`/workloads/${l.workloadId}`}>
        {l.name}
      </Link>
    ),
  },
  { id: 'project', header: 'Project', cell: (l) => l.projectName },
  { id: 'user', header: 'By', cell: (l) => <span className="clip cell-clip narrow" title={l.userName}>{l.userName}</span> },
  { id: 'gpu', header: 'GPUs', right: true, cell: (l) => gpus(l.gpu) },
  { id: 'reason', header: 'Waits for', cell: (l) => <Badge tone={isLasting(l.reason) ? 'bad' : 'wait'}>{reasonWords(l.reason)}</Badge> },
  { id: 'start', header: 'Starts', cell: (l) => <Start line={l} /> },
  { id: 'priority', header: 'Priority', cell: (l) => (l.terms ? l.terms.priorityClass || l.terms.priority : none) },
  { id: 'share', header: 'Project uses / share', cell: (l) => <Share unit={l.terms?.project} pool={l.terms?.pool} /> },
  { id: 'department', header: 'Department uses / share', cell: (l) => <Share unit={l.terms?.department} pool={l.terms?.pool} />, extra: true },
  { id: 'nth', header: "Person's GPUs with it", right: true, cell: (l) => (l.terms?.nthGpu === null || l.terms?.nthGpu === undefined ? none : gpus(l.terms.nthGpu)), extra: true },
  { id: 'quota', header: 'Project quota', right: true, cell: (l) => gpus(l.terms?.project?.quota), extra: true },
  { id: 'pool', header: 'Tries pool', cell: (l) => l.terms?.pool || none, extra: true },
  { id: 'decided', header: 'Decided by, in this order', cell: (l) => (l.terms ? <span className="break small">{decidedBy(l.terms)}</span> : none), extra: true },
  { id: 'submitted', header: 'Submitted', cell: (l) => (l.terms ? <Time at={l.terms.submittedAt} /> : none) },
];

const RULES: Record<Schemas['QueueTerms']['policy'], string> = {
  FairShare: 'Fair share: departments and projects below their share come first, then those within quota, then the smaller part of a share; inside a project higher priority, then age.',
  DecayedShare: 'Fair share that counts past use: those who used much lately have a smaller share; inside a project higher priority, then age.',
  NthGpu: "Anyone's first GPU comes before anyone's second; then age.",
  Fifo: 'First come, first served.',
};

/** The rule that makes the order, in one sentence. */
export function ruleOf(lines: QueueLine[]): string {
  const policies = [...new Set(lines.flatMap((l) => (l.terms ? [l.terms.policy] : [])))];
  return policies.map((policy) => RULES[policy]).join(' ');
}
