// What the palette can do beside finding things.
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { record } from '@/api/engine';
import { queries, useAllowed, type Workload } from '@/api/queries';
import { signOut } from '@/api/session';
import { here } from '@/lib/place';
import { useStore } from '@/lib/store';
import { setTheme, theme } from '@/lib/theme';
import type { ActionName } from '@/pages/workload/actions';
import { PRESETS } from '@/pages/new-workload/presets';
import { toolsOf } from '@/pages/workload/connections';
import { kindRoute, useMayAct, useMayCreate } from '@/pages/workloads/kinds';
import { toastError } from '@/ui/toast';
import { usePlaces } from '@/shell/sidebar';
import { BookOpen, CircleSlash, CircleStop, ExternalLink, LogOut, Moon, NotebookPen, Plus, ScrollText, SquareTerminal, Sun, Target } from '@/ui/icons';

export interface Hit {
  key: string;
  label: string;
  note: string;
  icon: ReactNode;
  to?: string;
  run?: () => void;
  /** Asked before it is done. */
  ask?: { action: ActionName; workload: Workload };
}

export const has = (text: string, part: string) => part.toLowerCase().split(/\s+/).every((word) => text.toLowerCase().includes(word));

export function usePlaceHits(text: string): Hit[] {
  return usePlaces()
    .flatMap((group) => group.places.map(({ path, label, icon: Icon, words }) => ({ key: path, label, note: group.label, icon: <Icon size={16} />, to: path, words: words ?? '' })))
    .filter((place) => has(`${place.label} ${place.words}`, text));
}

// "stop lab", "open lab", "drain bench-4": a verb and a part of a name.
const VERB = /^(stop|log|open|shell|drain)(?:\s+(.*))?$/i;

/** Opens its tool with what the tool asks for; its page where it has none. */
async function openTool(client: QueryClient, w: Workload): Promise<void> {
  const made = await client.fetchQuery(record(kindRoute(w.type), w.id));
  const tool = toolsOf(made.spec, w).find((one) => one.url !== null && one.port !== null);
  window.open(tool?.url ?? here(`/workloads/${w.id}`), '_blank', 'noreferrer');
}

function useVerbHits(text: string): Hit[] {
  const client = useQueryClient();
  const [, verb = '', rest = ''] = VERB.exec(text) ?? [];
  const what = verb.toLowerCase();
  const me = useQuery(queries.me).data?.username;
  const allowed = useAllowed();
  const may = useMayAct();
  const mine = useQuery({ ...queries.workloads({ filterBy: `submittedBy==${me ?? ''},phase==Running`, limit: 100 }), enabled: me !== undefined && (what === 'stop' || what === 'log' || what === 'open' || what === 'shell') });
  const nodes = useQuery({ ...queries.nodes(rest, 0, 10), enabled: what === 'drain' && allowed('cluster', 'update') });
  const named = (mine.data?.workloads ?? []).filter((w) => has(w.name, rest));
  if (what === 'stop') return named.filter((w) => may(w.type, 'update')).map((w) => ({ key: `stop ${w.id}`, label: `Stop ${w.name}`, note: `${w.type} · ${w.projectName}`, icon: <CircleStop size={16} />, ask: { action: 'stop', workload: w } }));
  if (what === 'log') return named.map((w) => ({ key: `log ${w.id}`, label: `Log of ${w.name}`, note: `${w.type} · ${w.projectName}`, icon: <ScrollText size={16} />, to: `/workloads/${w.id}?tab=logs` }));
  if (what === 'open') return named.map((w) => ({ key: `open ${w.id}`, label: `Open ${w.name}`, note: `${w.type} · ${w.projectName}`, icon: <ExternalLink size={16} />, run: () => void openTool(client, w).catch(toastError) }));
  if (what === 'shell') return named.map((w) => ({ key: `shell ${w.id}`, label: `Shell in ${w.name}`, note: `${w.type} · ${w.projectName}`, icon: <SquareTerminal size={16} />, to: `/workloads/${w.id}?tab=terminal` }));
  if (what === 'drain') return (nodes.data?.nodes ?? []).filter((n) => !n.drain).map((n) => ({ key: `drain ${n.name}`, label: `Drain ${n.name}…`, note: 'Node', icon: <CircleSlash size={16} />, to: `/nodes?q=${encodeURIComponent(n.name)}&drain=${encodeURIComponent(n.name)}` }));
  return [];
}

/** Those that are clearly meant, and those that stand below all else. */
export function useActionHits(text: string): { first: Hit[]; last: Hit[] } {
  const shown = useStore(theme);
  const may = useMayAct();
  const mayCreate = useMayCreate();
  const next = shown === 'dark' ? 'light' : 'dark';
  const verbs = useVerbHits(text);
  const fixed: (Hit & { words: string })[] = [
    ...(mayCreate ? [{ key: 'new', label: 'New workload', note: 'Action', words: 'submit start create', icon: <Plus size={16} />, to: '/workloads/new' }] : []),
    ...(may('Workspace', 'create') ? PRESETS.map((preset) => ({ key: `preset ${preset.id}`, label: `New ${preset.label}`, note: preset.about, words: 'open start notebook workspace', icon: <NotebookPen size={16} />, to: `/workloads/new?preset=${preset.id}` })) : []),
    ...(may('Training', 'create') ? [{ key: 'study', label: 'New study', note: 'Search for the best parameters', words: 'tune tuning create start hyperparameters', icon: <Target size={16} />, to: '/studies/new' }] : []),
    { key: 'docs', label: 'Documentation', note: 'Help', words: 'help manual guide how', icon: <BookOpen size={16} />, run: () => void window.open(here('/docs/first-hour'), '_blank', 'noreferrer') },
    { key: 'theme', label: `Use the ${next} theme`, note: 'Action', words: 'dark light mode', icon: next === 'dark' ? <Moon size={16} /> : <Sun size={16} />, run: () => setTheme(next) },
    { key: 'out', label: 'Sign out', note: 'Action', words: 'log out leave', icon: <LogOut size={16} />, run: () => void signOut() },
  ];
  return { first: verbs, last: fixed.filter((one) => has(`${one.label} ${one.words}`, text)) };
}
