import { Compass, TriangleAlert } from '@/ui/icons';
import { Link, useRouteError } from 'react-router-dom';
import { Button } from '@/ui/button';
import { Page } from '@/ui/page';
import { Empty, Skeleton } from '@/ui/state';

/** Where the first page will be. */
export function Coming() {
  return (
    <main className="page" id="main" aria-busy="true">
      <Skeleton lines={6} />
    </main>
  );
}

export function NotFound() {
  return (
    <Page title="Not found">
      <Empty title="There is nothing at this address" icon={<Compass size={20} />} action={<Link className="button" to="/my-work">Go to My work</Link>}>
        The link may be old, or what it led to was deleted.
      </Empty>
    </Page>
  );
}

/** A page that threw: say so and offer the two things that help. */
export function Broken() {
  const error = useRouteError();
  const message = error instanceof Error ? error.message : 'unknown';
  const outdated = /dynamically imported module|Importing a module script failed/.test(message);
  return (
    <Page title="Something went wrong">
      <Empty
        title={outdated ? 'The dashboard was updated' : 'This page stopped working'}
        icon={<TriangleAlert size={20} />}
        action={<Button tone="primary" onClick={() => location.reload()}>Load it again</Button>}
      >
        {outdated ? 'Loading the page again brings the new version.' : `The reason given: ${message}`}
      </Empty>
    </Page>
  );
}
