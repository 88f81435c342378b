// The orders that a person can give a study.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useAllowed } from '@/api/queries';
import { deleteStudy, extendStudy, orderStudy, type Order, type Study } from '@/api/studies';
import { plural } from '@/lib/quantity';
import { AddTrialDialog } from '@/pages/studies/add-trial';
import { Button, IconButton } from '@/ui/button';
import { Confirm } from '@/ui/confirm';
import { Dialog } from '@/ui/dialog';
import { DurationInput, Field } from '@/ui/field';
import { CirclePause, CircleStop, EllipsisVertical, Play, Plus, Timer, Trash2 } from '@/ui/icons';
import { Menu } from '@/ui/menu';
import { ErrorNotice } from '@/ui/state';
import { toast, toastError } from '@/ui/toast';

type Asked = 'stop' | 'extend' | 'add' | 'delete';

export function StudyActions({ study }: { study: Study }) {
  const [asking, setAsking] = useState<Asked | null>(null);
  const allowed = useAllowed();
  const client = useQueryClient();
  const navigate = useNavigate();
  const fresh = () => client.invalidateQueries({ queryKey: ['study'] });
  const close = () => setAsking(null);
  const may = allowed('trainings', 'update');
  const order = (what: Order, says: string) => async () => {
    await orderStudy(study.id, what);
    toast(says);
    await fresh();
  };
  const ended = study.state === 'Completed' || study.state === 'Stopped';
  const remove = async () => {
    await deleteStudy(study.id);
    toast(`${study.name} is deleted`);
    navigate('/studies');
    await client.invalidateQueries({ queryKey: ['study', 'list'] });
  };
  return (
    <>
      {may && study.state === 'Running' ? (
        <Button icon={<CirclePause size={15} />} onClick={() => void order('pause', `${study.name} begins no new trial`)().catch(toastError)}>
          Pause
        </Button>
      ) : null}
      {may && study.state === 'Paused' ? (
        <Button tone="primary" icon={<Play size={15} />} onClick={() => void order('resume', `${study.name} goes on`)().catch(toastError)}>
          Resume
        </Button>
      ) : null}
      {may && study.state !== 'Stopped' ? (
        <Button icon={<Timer size={15} />} onClick={() => setAsking('extend')}>
          Extend
        </Button>
      ) : null}
      {may && study.state !== 'Stopped' ? (
        <Button icon={<Plus size={15} />} onClick={() => setAsking('add')}>
          Add a trial
        </Button>
      ) : null}
      {may && !ended ? (
        <Button icon={<CircleStop size={15} />} onClick={() => setAsking('stop')}>
          End
        </Button>
      ) : null}
      {allowed('trainings', 'delete') ? (
        <Menu trigger={<IconButton tone="plain" label="More actions" icon={<EllipsisVertical size={16} />} />} entries={[{ label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setAsking('delete') }]} />
      ) : null}
      {asking === 'stop' ? (
        <Confirm title={`End ${study.name}?`} action="End" danger run={order('stop', `${study.name} has ended`)} onClose={close}>
          <p>No further trial begins{study.trials.running > 0 ? `, and ${plural(study.trials.running, 'trial')} that run${study.trials.running === 1 ? 's' : ''} now ${study.trials.running === 1 ? 'is' : 'are'} cancelled` : ''}. All results stay. A study that was ended cannot go on.</p>
        </Confirm>
      ) : null}
      {asking === 'extend' ? <ExtendDialog study={study} onClose={close} after={fresh} /> : null}
      {asking === 'add' ? <AddTrialDialog study={study} onClose={close} /> : null}
      {asking === 'delete' ? (
        <Confirm title={`Delete ${study.name}?`} action="Delete" danger run={remove} onClose={close}>
          <p>The study and the results of its {plural(study.trials.configurations, 'configuration')} are gone for good. The workloads of its trials stay.{study.trials.running > 0 ? ' It must be ended first: trials of it run.' : ''}</p>
        </Confirm>
      ) : null}
    </>
  );
}

function ExtendDialog({ study, onClose, after }: { study: Study; onClose: () => void; after: () => Promise<unknown> }) {
  const now = study.budget;
  const [trials, setTrials] = useState(String(now.maxTrials ?? ''));
  const [seconds, setSeconds] = useState<number | undefined>(now.maxDurationSeconds ?? undefined);
  const [hours, setHours] = useState(String(now.maxGpuHours ?? ''));
  const [error, setError] = useState<unknown>(null);
  const changed = {
    ...(trials !== '' && Number(trials) !== now.maxTrials ? { maxTrials: Number(trials) } : {}),
    ...(seconds !== undefined && seconds !== now.maxDurationSeconds ? { maxDurationSeconds: seconds } : {}),
    ...(hours !== '' && Number(hours) !== now.maxGpuHours ? { maxGpuHours: Number(hours) } : {}),
  };
  const save = async () => {
    try {
      await extendStudy(study.id, changed);
      toast(`${study.name} is extended`);
      await after();
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog
      title={`Extend ${study.name}`}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" disabled={Object.keys(changed).length === 0}>
            Extend
          </Button>
        </>
      }
    >
      <div className="stack">
        <Field label="Configurations in all" hint={`${study.trials.configurations} were begun so far`}>
          <input className="input" type="number" min={1} value={trials} placeholder="no limit" onChange={(e) => setTrials(e.target.value)} />
        </Field>
        <Field label="Time in all" hint="90m, 2h or 1d; no trial begins after it">
          <DurationInput seconds={seconds} onChange={setSeconds} placeholder="no limit" />
        </Field>
        <Field label="GPU-hours in all">
          <input className="input" type="number" min={0} step="any" value={hours} placeholder="no limit" onChange={(e) => setHours(e.target.value)} />
        </Field>
        <ErrorNotice error={error} />
      </div>
    </Dialog>
  );
}
