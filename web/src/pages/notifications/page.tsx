import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ListFilter, Pencil, Power, Send, Trash2 } from '@/ui/icons';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { api } from '@/api/client';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { Confirm } from '@/ui/confirm';
import { ResourcePage } from '@/ui/resource-page';
import { Notice } from '@/ui/state';
import type { Column } from '@/ui/table';
import { toast, toastError } from '@/ui/toast';
import { Log } from './log';
import { RuleDialog } from './rule-form';
import { channelText, eventText, type Delivery, type Rule } from './words';

const COLUMNS: Column<Rule>[] = [
  { id: 'name', header: 'Name', cell: (r) => <span className="strong">{r.name}</span>, text: (r) => r.name },
  { id: 'about', header: 'About', cell: (r) => (r.projectName ? `project ${r.projectName}` : 'my work'), text: (r) => r.projectName ?? '' },
  { id: 'by', header: 'By', cell: (r) => channelText(r.channel), text: (r) => channelText(r.channel) },
  { id: 'to', header: 'To', cell: (r) => <span className="mono">{r.target}</span>, text: (r) => r.target },
  { id: 'events', header: 'When work', cell: (r) => r.events.map(eventText).join(', '), text: (r) => r.events.join(' ') },
  { id: 'on', header: 'Status', cell: (r) => <Badge tone={r.enabled ? 'ok' : 'still'}>{r.enabled ? 'Enabled' : 'Disabled'}</Badge>, text: (r) => (r.enabled ? 'Enabled' : 'Disabled') },
];

function Outcome({ tested }: { tested: Delivery | string | null }) {
  if (tested === null) return null;
  if (typeof tested === 'string') return <Notice>Sending a test of {tested}…</Notice>;
  return tested.outcome === 'Sent' ? (
    <Notice tone="ok">The test of {tested.ruleName} was taken{tested.lastStatus ? `: the target answered ${tested.lastStatus}` : ''}.</Notice>
  ) : (
    <Notice tone="bad">
      The test of {tested.ruleName} was not taken: {tested.lastError}
    </Notice>
  );
}

export default function Notifications() {
  const rows = useQuery({ queryKey: ['notification-rule'], queryFn: () => api.get<Rule[]>('/api/v1/notifications/rules') });
  const client = useQueryClient();
  const [params, setParams] = useSearchParams();
  const [editing, setEditing] = useState<Rule | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Rule | null>(null);
  const [tested, setTested] = useState<Delivery | string | null>(null);
  const shown = rows.data?.find((r) => r.id === params.get('rule')) ?? null;
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['notification-rule'] });
    void client.invalidateQueries({ queryKey: ['notification-delivery'] });
  };
  const done = (text: string) => (toast(text), refresh());
  const show = (rule: Rule | null) => setParams(rule ? { rule: rule.id } : {}, { replace: true });
  const test = async (rule: Rule) => {
    setTested(rule.name);
    try {
      setTested(await api.post<Delivery>(`/api/v1/notifications/rules/${rule.id}/test`));
    } catch (problem) {
      setTested(null);
      toastError(problem);
    }
    refresh();
  };
  const toggle = (r: Rule) =>
    api.put(`/api/v1/notifications/rules/${r.id}`, { name: r.name, channel: r.channel, events: r.events, enabled: !r.enabled }).then(refresh, toastError);
  return (
    <>
      <ResourcePage
        title="Notifications"
        what="notification rules"
        sub="Who is told of what happens to work, and how"
        rows={rows}
        columns={COLUMNS}
        rowId={(r) => r.id}
        nameOf={(r) => r.name}
        onCreate={() => setEditing('new')}
        createLabel="New rule"
        teach="A rule tells you by mail, Slack or webhook when your work starts, ends, fails or waits. Those who may change a project can make rules about all work in it."
        above={<Outcome tested={tested} />}
        below={
          <>
            {shown ? (
              <div className="row wrap">
                Messages of {shown.name} only.
                <Button small onClick={() => show(null)}>
                  Show all
                </Button>
              </div>
            ) : null}
            <Log rule={shown?.id ?? null} />
          </>
        }
        menu={(r) => [
          { label: 'Test', icon: <Send size={15} />, onSelect: () => void test(r) },
          { label: 'Edit…', icon: <Pencil size={15} />, onSelect: () => setEditing(r) },
          { label: 'Its messages', icon: <ListFilter size={15} />, onSelect: () => show(r) },
          { label: r.enabled ? 'Disable' : 'Enable', icon: <Power size={15} />, onSelect: () => void toggle(r) },
          { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setDeleting(r) },
        ]}
      />
      {editing ? <RuleDialog rule={editing === 'new' ? null : editing} onClose={() => setEditing(null)} done={done} /> : null}
      {deleting ? (
        <Confirm title={`Delete the rule ${deleting.name}?`} action="Delete" danger onClose={() => setDeleting(null)} run={async () => (await api.del(`/api/v1/notifications/rules/${deleting.id}`), done(`${deleting.name} is deleted`))}>
          <p>Its messages go with it, also those that wait to be sent.</p>
        </Confirm>
      ) : null}
    </>
  );
}
