// What can be done to the chosen runs.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { deleteRun, restoreRun, tagRuns, type Run } from '@/api/runs';
import { useAllowed } from '@/api/queries';
import { plural } from '@/lib/quantity';
import { mark, useMarked } from '@/pages/runs/marks';
import { namesIn, ownTags } from '@/pages/runs/values';
import { Button } from '@/ui/button';
import { Confirm } from '@/ui/confirm';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { EyeOff, GitCompare, RotateCcw, Tag, Trash2 } from '@/ui/icons';
import { ErrorNotice } from '@/ui/state';
import { toast } from '@/ui/toast';

export const compareAddress = (ids: string[]) => `/runs/compare?${ids.map((id) => `run=${id}`).join('&')}`;
const MOST_COMPARED = 20;

export function BulkBar({ rows, clear }: { rows: Run[]; clear: () => void }) {
  const [asking, setAsking] = useState<'tag' | 'delete' | null>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const allowed = useAllowed();
  const hidden = useMarked('hidden');
  if (rows.length === 0) return null;
  const ids = rows.map((run) => run.id);
  const fresh = () => client.invalidateQueries({ queryKey: ['run'] });
  const deleted = rows.every((run) => run.lifecycle === 'deleted');
  const allHidden = ids.every((id) => hidden.has(id));
  const move = async () => {
    for (const id of ids) await (deleted ? restoreRun(id) : deleteRun(id));
    toast(`${plural(ids.length, 'run')} ${deleted ? 'restored' : 'deleted'}`);
    await fresh();
    clear();
  };
  return (
    <div className="bulk" role="toolbar" aria-label="Selected runs">
      <span className="strong">{plural(rows.length, 'run')} selected</span>
      {rows.length > 1 ? (
        <Button small tone="primary" icon={<GitCompare size={14} />} disabled={rows.length > MOST_COMPARED} title={rows.length > MOST_COMPARED ? `Compare at most ${MOST_COMPARED}` : undefined} onClick={() => navigate(compareAddress(ids))}>
          Compare
        </Button>
      ) : null}
      {allowed('trainings', 'update') ? (
        <Button small icon={<Tag size={14} />} onClick={() => setAsking('tag')}>
          Tags
        </Button>
      ) : null}
      <Button small icon={<EyeOff size={14} />} onClick={() => mark('hidden', ids, !allHidden)}>
        {allHidden ? 'Show again' : 'Hide'}
      </Button>
      {allowed('trainings', 'delete') ? (
        <Button small tone={deleted ? 'plain' : 'danger'} icon={deleted ? <RotateCcw size={14} /> : <Trash2 size={14} />} onClick={() => setAsking('delete')}>
          {deleted ? 'Restore' : 'Delete'}
        </Button>
      ) : null}
      <Button small tone="quiet" onClick={clear}>
        Clear selection
      </Button>
      {asking === 'tag' ? <TagDialog rows={rows} onClose={() => setAsking(null)} after={() => void fresh()} /> : null}
      {asking === 'delete' ? (
        <Confirm title={`${deleted ? 'Restore' : 'Delete'} ${plural(ids.length, 'run')}?`} action={deleted ? 'Restore' : 'Delete'} danger={!deleted} run={move} onClose={() => setAsking(null)}>
          <p>{deleted ? 'They appear in the list again.' : 'They leave the list. Their metrics and files stay, and they can be restored from “Deleted runs”.'}</p>
        </Confirm>
      ) : null}
    </div>
  );
}

function TagDialog({ rows, onClose, after }: { rows: Run[]; onClose: () => void; after: () => void }) {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const [error, setError] = useState<unknown>(null);
  const known = namesIn(rows, (run) => ownTags(run).map(([name]) => name));
  const send = async (change: Parameters<typeof tagRuns>[1], says: string) => {
    try {
      await tagRuns(rows.map((run) => run.id), change);
      toast(says);
      after();
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog
      title={`Tags of ${plural(rows.length, 'run')}`}
      onClose={onClose}
      onSubmit={() => void (key.trim() ? send({ set: { [key.trim()]: value } }, `Tag ${key.trim()} is set`) : undefined)}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" disabled={!key.trim()}>
            Set tag
          </Button>
        </>
      }
    >
      <div className="stack">
        <Field label="Name">
          <input className="input" value={key} list="run-tags" autoComplete="off" onChange={(e) => setKey(e.target.value)} />
        </Field>
        <datalist id="run-tags">
          {known.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Field label="Value">
          <input className="input" value={value} autoComplete="off" onChange={(e) => setValue(e.target.value)} />
        </Field>
        {known.length > 0 ? (
          <div className="stack tight">
            <span className="small soft">Take a tag away</span>
            <span className="row wrap">
              {known.slice(0, 20).map((name) => (
                <Button key={name} small icon={<Trash2 size={12} />} onClick={() => void send({ remove: [name] }, `Tag ${name} is taken away`)}>
                  {name}
                </Button>
              ))}
            </span>
          </div>
        ) : null}
        <ErrorNotice error={error} />
      </div>
    </Dialog>
  );
}
