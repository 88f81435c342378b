// The parts around a server-side list: its state in the address, search, filters, pages, columns.
import { Columns3, Search } from '@/ui/icons';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { emptyList, fromParams, PAGE_SIZES, toParams, type ListState } from '@/lib/filter';
import { keep, kept } from '@/lib/store';
import { Button, IconButton } from '@/ui/button';
import { Check } from '@/ui/field';
import { Popover } from '@/ui/popover';
import type { Column } from '@/ui/table';
import { ChevronLeft, ChevronRight } from '@/ui/icons';

const OWN = /^(q|where|sort|page|size|is\..*)$/;

export function useListState(defaults: Partial<ListState> = {}): [ListState, (change: Partial<ListState>) => void] {
  const [params, setParams] = useSearchParams();
  const base = useMemo(() => ({ ...emptyList(), ...defaults }), [JSON.stringify(defaults)]); // eslint-disable-line
  const text = params.toString();
  const state = useMemo(() => fromParams(new URLSearchParams(text), base), [text, base]);
  const change = useCallback(
    (part: Partial<ListState>) => {
      setParams(
        (now) => {
          const next = toParams({ ...fromParams(now, base), page: 0, ...part }, base);
          for (const [key, value] of now) if (!OWN.test(key)) next.append(key, value);
          return next;
        },
        { replace: part.search !== undefined },
      );
    },
    [setParams, base],
  );
  return [state, change];
}

export function SearchBox({ value, onChange, label }: { value: string; onChange: (text: string) => void; label: string }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), 80);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <div className="search">
      <Search size={15} aria-hidden />
      <input className="input" type="search" aria-label={label} placeholder={label} value={text} onChange={(e) => setText(e.target.value)} />
    </div>
  );
}

export function useColumns<T>(key: string, all: Column<T>[]) {
  const [chosen, setChosen] = useState<string[] | null>(() => kept(`gpuyard.columns.${key}`, null));
  const ids = chosen ?? all.filter((c) => !c.extra).map((c) => c.id);
  const choose = (next: string[] | null) => {
    keep(`gpuyard.columns.${key}`, next);
    setChosen(next);
  };
  const shown = useMemo(() => all.filter((c) => ids.includes(c.id)), [all, ids.join()]); // eslint-disable-line
  return { shown, ids, choose };
}

export function ColumnChoice<T>({ all, ids, choose }: { all: Column<T>[]; ids: string[]; choose: (ids: string[] | null) => void }) {
  return (
    <Popover label="Columns" trigger={<Button icon={<Columns3 size={15} aria-hidden />}>Columns</Button>}>
      <div className="stack tight">
        {all.map((column) => (
          <Check
            key={column.id}
            label={column.header}
            checked={ids.includes(column.id)}
            onChange={(on) => choose(on ? [...ids, column.id] : ids.filter((id) => id !== column.id))}
          />
        ))}
        <Button small tone="quiet" onClick={() => choose(null)}>
          Back to the usual ones
        </Button>
      </div>
    </Popover>
  );
}

interface PagerProps {
  state: ListState;
  onChange: (change: Partial<ListState>) => void;
  total: number | undefined;
  shown: number;
}

export function Pager({ state, onChange, total, shown }: PagerProps) {
  const first = state.page * state.size;
  const last = first + shown;
  const more = total === undefined ? shown === state.size : last < total;
  return (
    <div className="pager">
      <span className="num" role="status">
        {shown === 0 ? 'Nothing to show' : `${(first + 1).toLocaleString('en')}–${last.toLocaleString('en')}`}
        {total !== undefined && shown > 0 ? ` of ${total.toLocaleString('en')}` : ''}
      </span>
      <span className="row">
        <label className="row">
          Rows
          <select className="select" value={state.size} onChange={(e) => onChange({ size: Number(e.target.value), page: 0 })}>
            {PAGE_SIZES.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </select>
        </label>
        <IconButton small tone="plain" label="Previous page" icon={<ChevronLeft size={14} />} disabled={state.page === 0} onClick={() => onChange({ page: state.page - 1 })} />
        <IconButton small tone="plain" label="Next page" icon={<ChevronRight size={14} />} disabled={!more} onClick={() => onChange({ page: state.page + 1 })} />
      </span>
    </div>
  );
}
