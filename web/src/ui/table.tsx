import { getCoreRowModel, useReactTable, type ColumnDef, type Row } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, ChevronsUpDown } from '@/ui/icons';
import { memo, useMemo, useRef, type HTMLAttributes, type ReactNode } from 'react';

export interface Column<T> {
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** The same as plain text, for CSV. */
  text?: (row: T) => string | number | null | undefined;
  /** The API's name of the field to order by. */
  sort?: string;
  right?: boolean;
  /** Shown only when chosen. */
  extra?: boolean;
  /** A part of the table's width, in a table with a fixed grid. */
  width?: string;
}

export interface Order {
  sort: string;
  descending: boolean;
}

interface TableProps<T> {
  label: string;
  columns: Column<T>[];
  rows: T[];
  rowId: (row: T) => string;
  order?: Order;
  onOrder?: (order: Order) => void;
  picked?: Set<string>;
  onPick?: (picked: Set<string>) => void;
  actions?: (row: T) => ReactNode;
  /** Columns keep their widths whatever the rows hold, so that tables below each other line up. */
  fixed?: boolean;
  density?: 'normal' | 'compact';
  /** More about the row's element, such as that it can be dragged. */
  rowProps?: (row: T) => HTMLAttributes<HTMLTableRowElement>;
}

const VIRTUAL_FROM = 100;

export function Table<T>(props: TableProps<T>) {
  const { columns, rows, rowId } = props;
  const definitions = useMemo<ColumnDef<T>[]>(
    () => columns.map((column) => ({ id: column.id, header: column.header, cell: ({ row }) => column.cell(row.original) })),
    [columns],
  );
  const table = useReactTable({ data: rows, columns: definitions, getRowId: rowId, getCoreRowModel: getCoreRowModel() });
  const all = table.getRowModel().rows;
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label={props.label}>
      <table className={['table listed', props.fixed ? 'fixed' : '', props.density === 'compact' ? 'compact' : ''].filter(Boolean).join(' ')}>
        <Head {...props} />
        {all.length > VIRTUAL_FROM ? <VirtualBody {...props} all={all} /> : <tbody>{all.map((row) => <Line key={row.id} row={row} {...props} />)}</tbody>}
      </table>
    </div>
  );
}

function Head<T>({ columns, rows, rowId, order, onOrder, picked, onPick, actions }: TableProps<T>) {
  const every = rows.length > 0 && rows.every((row) => picked?.has(rowId(row)));
  return (
    <thead>
      <tr>
        {onPick ? (
          <th className="pick" scope="col">
            <input type="checkbox" aria-label="Select all on this page" checked={every} onChange={() => onPick(every ? new Set() : new Set(rows.map(rowId)))} />
          </th>
        ) : null}
        {columns.map((column) => (
          <th key={column.id} scope="col" className={column.right ? 'right' : undefined} style={column.width ? { width: column.width } : undefined} aria-sort={ariaSort(column.sort, order)}>
            {column.sort && onOrder ? <SortButton column={column} order={order} onOrder={onOrder} /> : column.header}
          </th>
        ))}
        {actions ? (
          <th scope="col" className="acts">
            <span className="visually-hidden">Actions</span>
          </th>
        ) : null}
      </tr>
    </thead>
  );
}

function ariaSort(field: string | undefined, order: Order | undefined) {
  if (!field || order?.sort !== field) return undefined;
  return order.descending ? 'descending' : 'ascending';
}

function SortButton<T>({ column, order, onOrder }: { column: Column<T>; order?: Order; onOrder: (order: Order) => void }) {
  const on = order?.sort === column.sort;
  const Icon = !on ? ChevronsUpDown : order?.descending ? ArrowDown : ArrowUp;
  return (
    <button type="button" onClick={() => onOrder({ sort: column.sort ?? '', descending: on ? !order?.descending : false })}>
      {column.header}
      <Icon size={12} aria-hidden style={{ opacity: on ? 1 : 0.45 }} />
    </button>
  );
}

/** Where a row stands in a long list, and who is told how high it is. */
interface Measured {
  index?: number;
  measure?: (row: HTMLTableRowElement | null) => void;
}

function Line<T>({ row, columns, rowId, picked, onPick, actions, rowProps, index, measure }: TableProps<T> & Measured & { row: Row<T> }) {
  const id = rowId(row.original);
  const on = picked?.has(id) ?? false;
  const toggle = () => {
    const next = new Set(picked);
    if (!next.delete(id)) next.add(id);
    onPick?.(next);
  };
  return (
    <tr ref={measure} data-index={index} aria-selected={onPick ? on : undefined} {...rowProps?.(row.original)}>
      {onPick ? (
        <td className="pick">
          <input type="checkbox" aria-label="Select this row" checked={on} onChange={toggle} />
        </td>
      ) : null}
      <Cells item={row.original} columns={columns} actions={actions} />
    </tr>
  );
}

interface CellsProps<T> {
  item: T;
  columns: Column<T>[];
  actions?: (row: T) => ReactNode;
}

// What a row shows follows from its object alone: an object that is the same is not drawn again.
const Cells = memo(
  function Cells<T>({ item, columns, actions }: CellsProps<T>) {
    return (
      <>
        {columns.map((column) => (
          <td key={column.id} className={column.right ? 'right num' : undefined} data-label={column.header}>
            {column.cell(item)}
          </td>
        ))}
        {actions ? <td className="acts">{actions(item)}</td> : null}
      </>
    );
  },
  (before, after) => before.item === after.item && before.columns === after.columns && before.actions === after.actions,
) as <T>(props: CellsProps<T>) => ReactNode;

/** Long pages keep only the lines in view in the document. */
function VirtualBody<T>(props: TableProps<T> & { all: Row<T>[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const virtual = useWindowVirtualizer({
    count: props.all.length,
    estimateSize: () => 41,
    overscan: 12,
    scrollMargin: body.current?.offsetTop ?? 0,
  });
  const items = virtual.getVirtualItems();
  const before = (items[0]?.start ?? 0) - virtual.options.scrollMargin;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0) + virtual.options.scrollMargin;
  return (
    <tbody ref={body}>
      {before > 0 ? <tr aria-hidden style={{ height: before }} /> : null}
      {items.map((item) => {
        const row = props.all[item.index];
        return row ? <Line key={row.id} {...props} row={row} index={item.index} measure={virtual.measureElement} /> : null;
      })}
      {after > 0 ? <tr aria-hidden style={{ height: after }} /> : null}
    </tbody>
  );
}
