// What the pages of a node, a project, a person and a pool share.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { queries, type Workload } from '@/api/queries';
import { usageReport, type By } from '@/api/usage';
import { hoursOf, plural } from '@/lib/quantity';
import { Actions } from '@/pages/my-work/row-actions';
import { COLUMNS } from '@/pages/workloads/columns';
import { Card } from '@/ui/page';
import { Failed, Skeleton } from '@/ui/state';
import { Table } from '@/ui/table';

const SHOWN = 20;
const DAYS = 30;
export const MONTH = { key: `last ${DAYS} days`, period: () => ({ start: Date.now() - DAYS * 86_400_000, end: Date.now() }) };

const columns = (ids: string[]) => COLUMNS.filter((column) => ids.includes(column.id));
const actionsOf = (w: Workload) => <Actions workload={w} />;

interface WorkCardProps {
  title: string;
  /** The API's filter, such as `projectId==4`. */
  filter: string;
  /** The same list under Workloads. */
  all: string;
  show: string[];
  which: 'active' | 'failed';
}

/** Some of the workloads that a filter finds, and a way to all of them. */
export function WorkCard({ title, filter, all, show, which }: WorkCardProps) {
  const phases = which === 'active' ? ['phase!=Completed', 'phase!=Failed', 'phase!=Stopped'] : ['phase==Failed'];
  const filterBy = [filter, ...phases].join(',');
  const list = useQuery(queries.workloads({ filterBy, sortBy: 'createdAt', sortOrder: 'desc', limit: SHOWN }));
  const rows = list.data?.workloads ?? [];
  const total = list.data?.total ?? rows.length;
  if (which === 'failed' && list.isSuccess && rows.length === 0) return null;
  return (
    <Card flush title={`${title}${list.data ? ` (${total})` : ''}`} actions={<Link className="small" to={all}>All under Workloads</Link>}>
      {list.isPending ? (
        <div className="card-body">
          <Skeleton />
        </div>
      ) : list.isError ? (
        <Failed small error={list.error} what="workloads" />
      ) : rows.length === 0 ? (
        <p className="card-body small muted">None at this moment.</p>
      ) : (
        <Table label={title} columns={columns(show)} rows={rows} rowId={(w) => w.id} actions={actionsOf} />
      )}
      {total > rows.length ? <p className="card-body small muted">{plural(total - rows.length, 'more', 'more')} under Workloads.</p> : null}
    </Card>
  );
}

/** GPU-hours of the last month, by person or project. */
export function MonthCard({ by, project, title, to }: { by: By; project?: string; title: string; to: (name: string) => string }) {
  const report = useQuery(usageReport(by, project, MONTH.key, MONTH.period));
  const rows = [...(report.data?.rows ?? [])].sort((a, b) => b.gpuHours.held - a.gpuHours.held).slice(0, 10);
  const most = rows[0]?.gpuHours.held ?? 0;
  return (
    <Card title={title}>
      {report.isPending ? (
        <Skeleton />
      ) : report.isError ? (
        <Failed small error={report.error} what="the usage report" />
      ) : rows.length === 0 ? (
        <p className="small muted">Nothing ran in the {MONTH.key}.</p>
      ) : (
        <ul className="stack tight">
          {rows.map((row) => (
            <li key={row.name} className="share-row small">
              <Link className="clip" to={to(row.name)}>
                {row.name}
              </Link>
              <span className="share-track" aria-hidden>
                <span className="share-fill" style={{ width: `${most > 0 ? (100 * row.gpuHours.held) / most : 0}%` }} />
              </span>
              <span className="num right">{hoursOf(row.gpuHours.held)} h</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
