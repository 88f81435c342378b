// Runs that a person keeps in view, and those that are in the way. The browser remembers them.
import { Store, keep, kept, useStore } from '@/lib/store';

type Kind = 'pinned' | 'hidden';
const keyOf = (kind: Kind) => `gpuyard.runs.${kind}`;
const stores: Record<Kind, Store<string[]>> = {
  pinned: new Store<string[]>(kept(keyOf('pinned'), [])),
  hidden: new Store<string[]>(kept(keyOf('hidden'), [])),
};

export function mark(kind: Kind, ids: string[], on: boolean): void {
  const others = stores[kind].get().filter((id) => !ids.includes(id));
  const next = on ? [...others, ...ids] : others;
  keep(keyOf(kind), next);
  stores[kind].set(next);
}

export const useMarked = (kind: Kind): Set<string> => new Set(useStore(stores[kind]));
