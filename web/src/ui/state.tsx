import { CircleX, Compass, Inbox, Info, Lock, PlugZap } from '@/ui/icons';
import type { ReactNode } from 'react';
import { ApiError, isForbidden, isNotOffered } from '@/api/client';
import { Button } from '@/ui/button';

interface EmptyProps {
  title: string;
  children?: ReactNode;
  icon?: ReactNode;
  action?: ReactNode;
  small?: boolean;
}

export function Empty({ title, children, icon, action, small }: EmptyProps) {
  return (
    <div className={`empty ${small ? 'small-empty' : ''}`}>
      <span className="empty-mark" aria-hidden>
        {icon ?? <Inbox size={20} />}
      </span>
      <h3>{title}</h3>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  );
}

/** One calm sentence for whatever went wrong while reading. */
export function Failed({ error, what, retry, small }: { error: unknown; what: string; retry?: () => void; small?: boolean }) {
  if (isNotOffered(error)) {
    return (
      <Empty small={small} title={`This server does not offer ${what} yet`} icon={<PlugZap size={20} />}>
        Everything else works. It appears here once the server is updated.
      </Empty>
    );
  }
  if (isForbidden(error)) {
    return (
      <Empty small={small} title={`You may not see ${what}`} icon={<Lock size={20} />}>
        Your roles do not include it. An administrator can add an access rule for you.
      </Empty>
    );
  }
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Empty small={small} title={`There is no such thing: ${what}`.replace('There is no such thing: this ', 'There is no such ')} icon={<Compass size={20} />}>
        The link may be old, what it led to was deleted, or it is outside your view.
      </Empty>
    );
  }
  const details = error instanceof ApiError ? error.details : '';
  const message = error instanceof Error ? error.message : String(error);
  return (
    <Empty
      small={small}
      title={`Could not load ${what}`}
      icon={<CircleX size={20} />}
      action={retry ? <Button onClick={retry}>Try again</Button> : undefined}
    >
      {message} {details}
    </Empty>
  );
}

type NoticeTone = 'plain' | 'bad' | 'wait' | 'ok';
export function Notice({ tone = 'plain', children, icon }: { tone?: NoticeTone; children: ReactNode; icon?: ReactNode }) {
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      {icon ?? <Info size={16} aria-hidden />}
      <div className="grow">{children}</div>
    </div>
  );
}

/** Whether a message says nothing that its issues do not. */
const onlyIssues = (error: ApiError) => error.message === error.issues.map((issue) => `${issue.field} ${issue.details}`).join('; ');

/** The refusal of something a person tried; without issues that are shown on their fields. */
export function ErrorNotice({ error, shown = [] }: { error: unknown; shown?: string[] }) {
  if (!error) return null;
  const api = error instanceof ApiError ? error : null;
  const left = (api?.issues ?? []).filter((issue) => !shown.includes(issue.field));
  const icon = <CircleX size={16} aria-hidden />;
  if (api && shown.length > 0 && left.length === 0 && onlyIssues(api)) {
    return (
      <Notice tone="bad" icon={icon}>
        Not accepted yet: see the marked {shown.length === 1 ? 'field' : 'fields'} above.
      </Notice>
    );
  }
  return (
    <Notice tone="bad" icon={icon}>
      <div>{error instanceof Error ? error.message : String(error)}</div>
      {api?.details ? <div className="small">{api.details}</div> : null}
      {left.map((issue) => (
        <div key={issue.field} className="small">
          {issue.field}: {issue.details}
        </div>
      ))}
    </Notice>
  );
}

export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className="stack tight" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} className="skeleton" style={{ width: `${92 - ((i * 23) % 50)}%` }} />
      ))}
    </div>
  );
}
