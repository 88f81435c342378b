// A page that is one list: search, table, a button to add, an empty state that teaches.
import type { UseQueryResult } from '@tanstack/react-query';
import { Download, EllipsisVertical, Plus } from '@/ui/icons';
import { useMemo, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { saveFile } from '@/lib/browser';
import { toCsv } from '@/lib/csv';
import { Button, IconButton } from '@/ui/button';
import { SearchBox } from '@/ui/list';
import { Menu, type MenuEntry } from '@/ui/menu';
import { Page } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table, type Column, type Order } from '@/ui/table';

interface ResourcePageProps<T> {
  title: string;
  /** "projects": what the list holds, in a sentence. */
  what: string;
  sub?: ReactNode;
  rows: UseQueryResult<T[]>;
  columns: Column<T>[];
  rowId: (row: T) => string;
  onCreate?: (() => void) | false;
  createLabel?: string;
  teach: ReactNode;
  menu?: (row: T) => (MenuEntry | null | false)[];
  nameOf?: (row: T) => string;
  extra?: ReactNode;
  above?: ReactNode;
  below?: ReactNode;
}

const plain = (value: unknown) => (value === null || value === undefined ? '' : String(value));

function useRows<T>(rows: T[] | undefined, columns: Column<T>[]) {
  const [params, setParams] = useSearchParams();
  const text = params.get('q') ?? '';
  const sort = params.get('sort') ?? '';
  const order: Order = { sort: sort.replace(/^-/, ''), descending: sort.startsWith('-') };
  const shown = useMemo(() => {
    const part = text.toLowerCase();
    const kept = (rows ?? []).filter((row) => !part || columns.some((c) => plain(c.text?.(row)).toLowerCase().includes(part)));
    const column = columns.find((c) => c.id === order.sort);
    if (!column?.text) return kept;
    const compare = new Intl.Collator('en', { numeric: true }).compare;
    return [...kept].sort((a, b) => compare(plain(column.text?.(a)), plain(column.text?.(b))) * (order.descending ? -1 : 1));
  }, [rows, columns, text, order.sort, order.descending]);
  const set = (key: string, value: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (value) next.set(key, value);
        else next.delete(key);
        return next;
      },
      { replace: true },
    );
  return { shown, text, order, setText: (t: string) => set('q', t), setOrder: (o: Order) => set('sort', `${o.descending ? '-' : ''}${o.sort}`) };
}

export function ResourcePage<T>(props: ResourcePageProps<T>) {
  const { title, what, rows, columns, rowId, onCreate, createLabel, menu, nameOf } = props;
  const sortable = useMemo(() => columns.map((c) => (c.text && !c.sort ? { ...c, sort: c.id } : c)), [columns]);
  const { shown, text, order, setText, setOrder } = useRows(rows.data, sortable);
  const create = onCreate ? (
    <Button tone="primary" icon={<Plus size={15} aria-hidden />} onClick={onCreate}>
      {createLabel}
    </Button>
  ) : null;
  const save = () => {
    const written = columns.filter((c) => c.text);
    saveFile(`${what.replace(/ /g, '-')}.csv`, toCsv(written.map((c) => c.header), shown.map((row) => written.map((c) => c.text?.(row)))), 'text/csv');
  };
  return (
    <Page title={title} sub={props.sub} actions={create}>
      {props.above}
      <div className="toolbar">
        <SearchBox label={`Search ${what}`} value={text} onChange={setText} />
        {props.extra}
        <span className="grow" />
        <Button icon={<Download size={15} aria-hidden />} onClick={save}>
          CSV
        </Button>
      </div>
      <section className="card">
        {rows.isPending ? (
          <div className="card-body">
            <Skeleton lines={5} />
          </div>
        ) : rows.isError ? (
          <Failed error={rows.error} what={what} retry={() => void rows.refetch()} />
        ) : shown.length === 0 ? (
          text ? (
            <Empty title={`Nothing among the ${what} matches`} />
          ) : (
            <Empty title={props.onCreate ? `No ${what} yet` : `No ${what} in your view`} action={create}>
              {props.teach}
            </Empty>
          )
        ) : (
          <Table
            label={title}
            columns={sortable}
            rows={shown}
            rowId={rowId}
            order={order}
            onOrder={setOrder}
            actions={menu ? (row) => <RowActions name={nameOf?.(row) ?? ''} entries={menu(row)} /> : undefined}
          />
        )}
      </section>
      {props.below}
    </Page>
  );
}

function RowActions({ name, entries }: { name: string; entries: (MenuEntry | null | false)[] }) {
  if (!entries.some(Boolean)) return null;
  return <Menu trigger={<IconButton small label={`Actions of ${name}`} icon={<EllipsisVertical size={15} />} />} entries={entries} />;
}
