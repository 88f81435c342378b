// The entries of one folder of work.
import { bytes } from '@/lib/quantity';
import type { Entry } from '@/pages/workload/file-actions';
import { IconButton } from '@/ui/button';
import { Download, EllipsisVertical, FileIcon, Folder, Pencil, Trash2 } from '@/ui/icons';
import { Menu } from '@/ui/menu';
import { Table, type Column } from '@/ui/table';
import { Time } from '@/ui/time';

interface FileTableProps {
  entries: Entry[];
  onFolder: (entry: Entry) => void;
  onFile: (entry: Entry) => void;
  onSave: (entry: Entry) => void;
  /** Left out where nothing can be changed. */
  onRename?: (entry: Entry) => void;
  onDelete?: (entry: Entry) => void;
}

export function FileTable({ entries, onFolder, onFile, onSave, onRename, onDelete }: FileTableProps) {
  const columns: Column<Entry>[] = [
    {
      id: 'name',
      header: 'Name',
      cell: (e) => (
        <span className="cell-name">
          {e.folder ? <Folder size={15} aria-hidden /> : <FileIcon size={15} aria-hidden />}
          <button type="button" className={`link clip ${e.folder ? 'strong' : ''}`} onClick={() => (e.folder ? onFolder(e) : onFile(e))}>
            {e.name}
          </button>
        </span>
      ),
    },
    { id: 'size', header: 'Size', right: true, cell: (e) => (e.folder ? '–' : bytes(e.size)) },
    { id: 'changed', header: 'Changed', cell: (e) => <Time at={new Date(e.modified).toISOString()} /> },
  ];
  const actions = (e: Entry) => (
    <span className="row tight">
      <IconButton small label={e.folder ? `Download ${e.name} as tar` : `Download ${e.name}`} icon={<Download size={15} />} onClick={() => onSave(e)} />
      {onRename && onDelete ? (
        <Menu
          trigger={<IconButton small label={`Actions of ${e.name}`} icon={<EllipsisVertical size={15} />} />}
          entries={[
            { label: 'Rename…', icon: <Pencil size={15} />, onSelect: () => onRename(e) },
            { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => onDelete(e) },
          ]}
        />
      ) : null}
    </span>
  );
  return <Table label="Files" columns={columns} rows={entries} rowId={(e) => e.name} actions={actions} />;
}
