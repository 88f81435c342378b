// Short texts on hover and focus. One layer for the whole page, so that a table with hundreds of
// them costs nothing until one is looked at.
import { cloneElement, useEffect, useRef, useState, type ReactElement } from 'react';

export function Tip({ text, children }: { text: string | null | undefined; children: ReactElement }) {
  return text ? cloneElement(children, { 'data-tip': text }) : children;
}

const DELAY = 350;
const GAP = 6;

interface Shown {
  text: string;
  box: DOMRect;
}

function useShown(): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      setShown(null);
    };
    const show = (event: Event) => {
      const owner = event.target instanceof Element ? event.target.closest('[data-tip]') : null;
      hide();
      if (!owner || (event.type === 'focusin' && !owner.matches(':focus-visible'))) return;
      timer = setTimeout(() => {
        if (owner.isConnected) setShown({ text: owner.getAttribute('data-tip') ?? '', box: owner.getBoundingClientRect() });
      }, DELAY);
    };
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    const on: [string, (event: never) => void][] = [['pointerover', show], ['focusin', show], ['pointerdown', hide], ['focusout', hide], ['scroll', hide], ['keydown', onKey]];
    for (const [name, act] of on) document.addEventListener(name, act as EventListener, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      for (const [name, act] of on) document.removeEventListener(name, act as EventListener, { capture: true });
    };
  }, []);
  return shown;
}

export function TipLayer() {
  const shown = useShown();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tip = element.current;
    if (!tip || !shown) return;
    const { box } = shown;
    const left = box.left + box.width / 2 - tip.offsetWidth / 2;
    const above = box.top - tip.offsetHeight - GAP;
    tip.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${above < 8 ? box.bottom + GAP : above}px`;
  }, [shown]);
  return shown ? (
    <div ref={element} className="tooltip" role="tooltip">
      {shown.text}
    </div>
  ) : null;
}
