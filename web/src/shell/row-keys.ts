// `j` and `k` go through the rows of the table in view, Enter opens the row, `x` selects it.
import { useEffect } from 'react';

const ROWS = 'main .table tbody tr:not([aria-hidden])';
const AT = 'at-row';

function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLTableRowElement>(ROWS)].filter((row) => row.querySelector('a, button'));
  if (rows.length === 0) return;
  const now = rows.findIndex((row) => row.classList.contains(AT));
  rows[now]?.classList.remove(AT);
  const next = rows[now < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, now + by))];
  next?.classList.add(AT);
  next?.scrollIntoView({ block: 'nearest' });
  // The row's link has the focus, so that Enter opens it and a reader says it.
  next?.querySelector<HTMLElement>('td a, td button.link')?.focus({ preventScroll: true });
}

const typing = (target: EventTarget | null) => target instanceof HTMLElement && target.closest('input:not([type=checkbox]), textarea, select, [contenteditable], .xterm, [role=menu], [role=dialog], dialog') !== null;

export function useRowKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      if (event.key === 'j') step(1);
      else if (event.key === 'k') step(-1);
      else if (event.key === 'x') document.querySelector<HTMLInputElement>(`tr.${AT} td.pick input`)?.click();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
