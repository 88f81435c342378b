// The words of rules and messages, as people read them.
import type { Schemas } from '@/api/client';
import type { Tone } from '@/ui/badge';

export type Rule = Schemas['NotificationRule'];
export type Delivery = Schemas['NotificationDelivery'];
export type Event = Rule['events'][number];
export type Channel = Rule['channel'];

export const EVENTS: [Event, string][] = [
  ['Running', 'Starts'],
  ['Completed', 'Completes'],
  ['Failed', 'Fails'],
  ['Preempted', 'Is preempted'],
  ['EndedByOther', 'Is cancelled, suspended or deleted by somebody else'],
  ['IdleWarning', 'Is idle and will be stopped'],
  ['TimeLimitNear', 'Comes close to its time limit'],
  ['WaitingLong', 'Waits for long'],
];

export const eventText = (event: string) => (event === 'Test' ? 'Test' : (EVENTS.find(([id]) => id === event)?.[1] ?? event));

export const CHANNELS: [Channel, string][] = [
  ['email', 'Mail'],
  ['slack', 'Slack'],
  ['webhook', 'Webhook'],
];

export const channelText = (channel: string) => CHANNELS.find(([id]) => id === channel)?.[1] ?? channel;

export const OUTCOMES: Record<Delivery['outcome'], [label: string, tone: Tone]> = {
  Pending: ['Waits', 'wait'],
  Sent: ['Sent', 'ok'],
  GivenUp: ['Not sent', 'bad'],
};

/** A key that signs webhooks, made here and shown to nobody else. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
