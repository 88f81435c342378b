import { useQuery } from '@tanstack/react-query';
import { KeyRound } from '@/ui/icons';
import { useState } from 'react';
import { api, type Schemas } from '@/api/client';
import { queries, useAllowed } from '@/api/queries';
import { at, put, textAt, type Spec } from '@/lib/paths';
import { Button } from '@/ui/button';
import { CopyValue } from '@/ui/copy';
import { EntityDialog, type FieldSpec } from '@/ui/entity-form';
import { Check } from '@/ui/field';
import { Notice } from '@/ui/state';
import { CHANNELS, EVENTS, newKey, type Channel, type Rule } from './words';

const is = (channel: Channel) => (value: Spec) => textAt(value, 'channel') === channel;

const FRESH: Spec = { channel: 'email', events: ['Completed', 'Failed'], projectId: '', waiting: 60, left: 15 };

const draftOf = (rule: Rule): Spec => ({
  name: rule.name,
  channel: rule.channel,
  target: rule.target,
  events: rule.events,
  projectId: rule.projectId ?? '',
  waiting: rule.waitingSeconds / 60,
  left: rule.leftSeconds / 60,
  off: !rule.enabled,
});

const bodyOf = (value: Spec) => ({
  name: textAt(value, 'name').trim(),
  channel: value.channel,
  target: textAt(value, 'target').trim() || null,
  secret: textAt(value, 'channel') === 'webhook' ? textAt(value, 'secret') || null : null,
  events: value.events,
  projectId: textAt(value, 'projectId') || null,
  waitingSeconds: Math.round(Number(value.waiting) * 60),
  leftSeconds: Math.round(Number(value.left) * 60),
  enabled: !value.off,
});

function fieldsFor(rule: Rule | null, projects: [string, string][]): FieldSpec[] {
  const keep = rule ? ' Empty: it stays as it is.' : '';
  return [
    { path: 'name', label: 'Name', required: true, placeholder: 'my-failures' },
    ...(rule ? [] : [{ path: 'projectId', label: 'About', kind: 'select', options: [['', 'my own work, everywhere'], ...projects] } satisfies FieldSpec]),
    { path: 'channel', label: 'By', kind: 'select', options: CHANNELS },
    { path: 'target', label: 'Mail address', when: is('email'), placeholder: 'ann@lab.example.org', hint: 'Empty: your own.' },
    { path: 'target', label: 'Address of the Slack webhook', when: is('slack'), required: true, placeholder: 'https://hooks.slack.com/services/…', hint: 'Slack gives it for an app with incoming webhooks. It is kept secret.' },
    { path: 'target', label: 'URL', when: is('webhook'), required: true, placeholder: 'https://ci.example.org/gpuyard' },
    { path: 'secret', label: 'Signing key', when: is('webhook'), kind: 'secret', required: !rule, hint: `16 characters or more; the receiver checks messages with it.${keep}` },
  ];
}

/** What to be told of, and since when a wait is long or a limit near. */
function Events({ value, onChange }: { value: Spec; onChange: (value: Spec) => void }) {
  const chosen = (at(value, 'events') as string[] | undefined) ?? [];
  const minutes = (path: string, label: string) => (
    <label className="row small">
      {label}
      <input className="input" type="number" min={1} name={path} value={textAt(value, path)} onChange={(e) => onChange(put(value, path, Number(e.target.value)))} />
      minutes
    </label>
  );
  return (
    <fieldset className="stack tight">
      <legend className="field-label">When work</legend>
      {EVENTS.map(([id, label]) => (
        <Check key={id} label={label} checked={chosen.includes(id)} onChange={(on) => onChange(put(value, 'events', on ? [...chosen, id] : chosen.filter((e) => e !== id)))} />
      ))}
      {chosen.includes('TimeLimitNear') ? minutes('left', 'Near is') : null}
      {chosen.includes('WaitingLong') ? minutes('waiting', 'Long is') : null}
    </fieldset>
  );
}

/** A key for those who have none; the only time it is shown. */
function KeyMaker({ value, onChange }: { value: Spec; onChange: (value: Spec) => void }) {
  const [made, setMade] = useState('');
  const make = () => {
    const key = newKey();
    setMade(key);
    onChange(put(value, 'secret', key));
  };
  return (
    <div className="row wrap">
      <Button small icon={<KeyRound size={13} />} onClick={make}>
        Make a key
      </Button>
      {made && made === textAt(value, 'secret') ? <CopyValue text={made} /> : null}
    </div>
  );
}

export function RuleDialog({ rule, onClose, done }: { rule: Rule | null; onClose: () => void; done: (text: string) => void }) {
  const allowed = useAllowed();
  const projects = useQuery({ ...queries.projects, enabled: allowed('project', 'update') });
  const channels = useQuery({ queryKey: ['notification-channel'], queryFn: () => api.get<Schemas['NotificationChannelState'][]>('/api/v1/notifications/channels') });
  const options = (projects.data ?? []).map((p): [string, string] => [p.id, `all work of ${p.name}`]);
  const save = async (value: Spec) => {
    const body = bodyOf(value);
    if (rule) await api.put(`/api/v1/notifications/rules/${rule.id}`, body);
    else await api.post('/api/v1/notifications/rules', body);
    done(`${body.name} is saved`);
  };
  return (
    <EntityDialog
      title={rule ? `Rule ${rule.name}` : 'New rule'}
      action={rule ? 'Save' : 'Create'}
      fields={fieldsFor(rule, options)}
      initial={rule ? draftOf(rule) : FRESH}
      save={save}
      onClose={onClose}
      extra={(value, onChange) => {
        const state = channels.data?.find((c) => c.channel === value.channel);
        return (
          <>
            {is('webhook')(value) ? <KeyMaker value={value} onChange={onChange} /> : null}
            {state && !state.available ? <Notice tone="wait">Not yet: {state.message}.</Notice> : null}
            <Events value={value} onChange={onChange} />
          </>
        );
      }}
    />
  );
}
