import { useEffect, type ReactNode } from 'react';

interface PageProps {
  title: string;
  heading?: ReactNode;
  sub?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, heading, sub, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Gpuyard`;
  }, [title]);
  return (
    <main className="page" id="main" tabIndex={-1}>
      <header className="page-head">
        <div className="grow">
          {heading ?? <h1>{title}</h1>}
          {sub ? <div className="page-sub">{sub}</div> : null}
        </div>
        {actions ? <div className="row wrap">{actions}</div> : null}
      </header>
      {children}
    </main>
  );
}

export function Card({ title, actions, children, flush }: { title?: ReactNode; actions?: ReactNode; children: ReactNode; flush?: boolean }) {
  return (
    <section className="card">
      {title || actions ? (
        <header className="card-head">
          <h2 className="card-title">{title}</h2>
          {actions ? <div className="row wrap">{actions}</div> : null}
        </header>
      ) : null}
      {flush ? children : <div className="card-body">{children}</div>}
    </section>
  );
}

export function Facts({ rows }: { rows: [label: string, value: ReactNode][] }) {
  return (
    <dl className="facts">
      {rows.map(([label, value], index) => (
        <div key={`${label}${index}`} className="fact">
          <dt>{label}</dt>
          <dd>{value ?? <span className="muted">–</span>}</dd>
        </div>
      ))}
    </dl>
  );
}
