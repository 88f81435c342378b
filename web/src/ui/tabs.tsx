import * as Radix from '@radix-ui/react-tabs';
import { Suspense, useEffect, useRef, type ReactNode } from 'react';
import { Skeleton } from '@/ui/state';

export interface TabSpec {
  id: string;
  label: ReactNode;
  render: () => ReactNode;
}

export function Tabs({ tabs, value, onChange, label }: { tabs: TabSpec[]; value: string; onChange: (id: string) => void; label: string }) {
  const current = tabs.some((t) => t.id === value) ? value : (tabs[0]?.id ?? '');
  const list = useRef<HTMLDivElement>(null);
  // On a narrow screen the chosen one may lie beside what is shown.
  useEffect(() => {
    const box = list.current;
    const chosen = box?.querySelector<HTMLElement>('[data-state=active]');
    if (box && chosen) box.scrollLeft = chosen.offsetLeft - box.offsetLeft - (box.clientWidth - chosen.offsetWidth) / 2;
  }, [current]);
  return (
    <Radix.Root value={current} onValueChange={onChange} className="stack">
      <Radix.List ref={list} className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.id} value={tab.id} className="tab">
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id} className="tab-body">
          <Suspense fallback={<Skeleton />}>{tab.id === current ? tab.render() : null}</Suspense>
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
