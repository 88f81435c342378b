// A person: what they hold now, what they used, where they have which role.
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import { engine } from '@/api/engine';
import { queries, useAllowed } from '@/api/queries';
import { usageReport } from '@/api/usage';
import { gpus, hoursOf, percent } from '@/lib/quantity';
import { MONTH, WorkCard } from '@/pages/objects/parts';
import { Badge } from '@/ui/badge';
import { UserRound } from '@/ui/icons';
import { Card, Facts, Page } from '@/ui/page';
import { Failed, Skeleton } from '@/ui/state';
import { Time } from '@/ui/time';

export default function PersonPage() {
  const { name = '' } = useParams();
  return (
    <Page
      title={name}
      heading={
        <div className="row wrap">
          <UserRound size={20} aria-hidden className="muted" />
          <h1 className="break">{name}</h1>
        </div>
      }
      sub="Within what your roles let you see"
    >
      <div className="grid">
        <Holds name={name} />
        <Month name={name} />
        <Account name={name} />
        <Roles name={name} />
      </div>
      <WorkCard title="Running and waiting" filter={`submittedBy==${name}`} all={`/workloads?where=${encodeURIComponent(`submittedBy==${name}`)}`} show={['name', 'phase', 'for', 'project', 'gpu', 'where']} which="active" />
      <WorkCard title="Failed" filter={`submittedBy==${name}`} all={`/workloads?where=${encodeURIComponent(`submittedBy==${name}`)}&is.phase=Failed`} show={['name', 'phase', 'project', 'gpu', 'created']} which="failed" />
    </Page>
  );
}

function Holds({ name }: { name: string }) {
  const running = useQuery({ ...engine.running, retry: false });
  const queue = useQuery({ ...engine.queue, retry: false });
  const mine = (running.data ?? []).filter((line) => line.userName === name);
  const waits = queue.isError ? null : (queue.data ?? []).filter((line) => line.userName === name);
  return (
    <Card title="Now">
      {running.isPending || queue.isPending ? (
        <Skeleton />
      ) : running.isError ? (
        <Failed small error={running.error} what="running work" />
      ) : (
        <Facts
          rows={[
            ['GPUs in use', <strong key="g" className="num">{gpus(mine.reduce((sum, line) => sum + line.held, 0))}</strong>],
            ['Running workloads', `${mine.length}`],
            ['Waiting workloads', waits ? `${waits.length}` : null],
            ['Best place in the queue', waits && waits.length > 0 ? `${Math.min(...waits.map((line) => line.position))}` : null],
          ]}
        />
      )}
    </Card>
  );
}

function Month({ name }: { name: string }) {
  const report = useQuery(usageReport('user', undefined, MONTH.key, MONTH.period));
  const row = report.data?.rows.find((one) => one.name === name);
  const measured = row ? row.gpuHours.used + row.gpuHours.idle : 0;
  return (
    <Card title={`The ${MONTH.key}`}>
      {report.isPending ? (
        <Skeleton />
      ) : report.isError ? (
        <Failed small error={report.error} what="the usage report" />
      ) : row ? (
        <Facts
          rows={[
            ['GPU-hours', <strong key="h" className="num">{hoursOf(row.gpuHours.held)}</strong>],
            ['Utilisation', measured > 0 ? percent((100 * row.gpuHours.used) / measured) : 'not measured'],
            ['Workloads that ran', row.workloads.toLocaleString('en')],
          ]}
        />
      ) : (
        <p className="small muted">Nothing ran.</p>
      )}
    </Card>
  );
}

function Account({ name }: { name: string }) {
  const allowed = useAllowed();
  const users = useQuery({ ...queries.users, enabled: allowed('users') });
  const user = users.data?.find((one) => one.username === name);
  if (!user) return null;
  return (
    <Card title="Account" actions={<Link className="small" to={`/users?q=${encodeURIComponent(name)}`}>Users</Link>}>
      <Facts
        rows={[
          ['Last signed in', <Time key="l" at={user.lastLogin} />],
          ['Account on nodes', user.unixName || null],
          ['Groups', user.groups?.join(', ') || null],
          ['Added', <Time key="a" at={user.createdAt} />],
        ]}
      />
    </Card>
  );
}

function Roles({ name }: { name: string }) {
  const allowed = useAllowed();
  const rules = useQuery({ ...queries.accessRules, enabled: allowed('access_rules') });
  if (!allowed('access_rules')) return null;
  const own = (rules.data ?? []).filter((r) => r.subjectId === name);
  return (
    <Card title="Roles" actions={<Link className="small" to={`/access-rules?q=${encodeURIComponent(name)}`}>Access rules</Link>}>
      {rules.isPending ? (
        <Skeleton />
      ) : rules.isError ? (
        <Failed small error={rules.error} what="access rules" />
      ) : own.length === 0 ? (
        <p className="small muted">No access rule names this person.</p>
      ) : (
        <ul className="stack tight">
          {own.map((r) => (
            <li key={r.id} className="row between small">
              <Badge tone="accent">{r.roleName}</Badge>
              <span className="muted">{r.scopeType === 'tenant' ? 'everywhere' : `${r.scopeType} ${r.scopeName}`}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
