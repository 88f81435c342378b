// Ways to look at runs that a project keeps under names, for all its members.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { queries, useAllowed } from '@/api/queries';
import { deleteView, savedViews, saveView, type SavedView, type ViewPage } from '@/api/reports';
import { Button, IconButton } from '@/ui/button';
import { Confirm } from '@/ui/confirm';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { Eye, Trash2 } from '@/ui/icons';
import { Popover } from '@/ui/popover';
import { ErrorNotice, Skeleton } from '@/ui/state';
import { toast } from '@/ui/toast';

const PLACES: Record<ViewPage, string> = { runs: '/runs', compare: '/runs/compare' };
const addressOf = (view: SavedView) => `${PLACES[view.page]}?${view.query}`;

interface Props {
  page: ViewPage;
  /** '' for all. */
  projectId: string;
  /** What is shown now, as it stands in an address. */
  query: () => string;
}

export function SavedViews({ page, projectId, query }: Props) {
  const [asking, setAsking] = useState<'save' | SavedView | null>(null);
  const client = useQueryClient();
  const allowed = useAllowed();
  const fresh = () => client.invalidateQueries({ queryKey: ['run-view'] });
  return (
    <>
      <Popover label="Saved views" trigger={<Button icon={<Eye size={15} aria-hidden />}>Views</Button>}>
        <div className="stack tight saved-views">
          <Views page={page} projectId={projectId} remove={allowed('trainings', 'delete') ? setAsking : null} />
          {allowed('trainings', 'create') ? (
            <Button small onClick={() => setAsking('save')}>
              Save this view
            </Button>
          ) : null}
        </div>
      </Popover>
      {asking === 'save' ? <SaveDialog page={page} projectId={projectId} query={query()} onClose={() => setAsking(null)} after={fresh} /> : null}
      {asking && asking !== 'save' ? (
        <Confirm
          title={`Delete the view ${asking.name}?`}
          action="Delete"
          danger
          run={async () => {
            await deleteView(asking.id);
            await fresh();
          }}
          onClose={() => setAsking(null)}
        >
          <p>It goes for every member of {asking.projectName}. The runs stay.</p>
        </Confirm>
      ) : null}
    </>
  );
}

function Views({ page, projectId, remove }: { page: ViewPage; projectId: string; remove: ((view: SavedView) => void) | null }) {
  const views = useQuery(savedViews(page, projectId));
  if (views.isPending) return <Skeleton />;
  if (views.isError) return <ErrorNotice error={views.error} />;
  if (views.data.length === 0) return <p className="muted small">No view is saved yet. One keeps filters, order and charts for all members of a project.</p>;
  return (
    <ul className="plain-list">
      {views.data.map((view) => (
        <li key={view.id} className="row">
          <Link className="grow clip" to={addressOf(view)} title={`${view.name}, by ${view.authorName}`}>
            {view.name}
          </Link>
          <span className="muted tiny">{view.projectName}</span>
          {remove ? <IconButton small label={`Delete the view ${view.name}`} icon={<Trash2 size={13} />} onClick={() => remove(view)} /> : null}
        </li>
      ))}
    </ul>
  );
}

function SaveDialog({ page, projectId, query, onClose, after }: { page: ViewPage; projectId: string; query: string; onClose: () => void; after: () => Promise<unknown> }) {
  const projects = useQuery(queries.projects).data ?? [];
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState(projectId);
  const [error, setError] = useState<unknown>(null);
  const project = chosen || String(projects[0]?.id ?? '');
  const save = async () => {
    try {
      const view = await saveView({ projectId: Number(project), name: name.trim(), page, query });
      await after();
      toast(`The view ${view.name} is saved for ${view.projectName}`);
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog
      title="Save this view"
      onClose={onClose}
      onSubmit={() => void (name.trim() && project ? save() : undefined)}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" disabled={!name.trim() || !project}>
            Save
          </Button>
        </>
      }
    >
      <div className="stack">
        <Field label="Name">
          <input className="input" value={name} maxLength={100} autoComplete="off" onChange={(e) => setName(e.target.value)} />
        </Field>
        {projectId === '' ? (
          <Field label="Project" hint="Its members see the view.">
            <select className="select" value={project} onChange={(e) => setChosen(e.target.value)}>
              {projects.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
          </Field>
        ) : null}
        <ErrorNotice error={error} />
      </div>
    </Dialog>
  );
}
