// Reports: what members of a project have written about its runs.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { useAllowed } from '@/api/queries';
import { reports, type ReportEntry } from '@/api/reports';
import { toQuery, type ListState } from '@/lib/filter';
import { useProject } from '@/shell/project';
import { NotebookPen, Plus } from '@/ui/icons';
import { Pager, SearchBox, useListState } from '@/ui/list';
import { PersonLink, ProjectLink } from '@/ui/links';
import { Page } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { Time } from '@/ui/time';
import '@/pages/reports/reports.css';

const USUAL: Partial<ListState> = { sort: 'updatedAt', descending: true };

const COLUMNS: Column<ReportEntry>[] = [
  { id: 'title', header: 'Report', sort: 'title', cell: (r) => <span className="cell-name"><Link className="clip strong" to={`/reports/${r.id}`} title={r.title}>{r.title}</Link></span> },
  { id: 'project', header: 'Project', cell: (r) => <ProjectLink id={String(r.projectId)} name={r.projectName} /> },
  { id: 'by', header: 'By', sort: 'authorName', cell: (r) => <span className="clip cell-clip"><PersonLink name={r.authorName} /></span> },
  { id: 'changed', header: 'Changed', sort: 'updatedAt', cell: (r) => <Time at={r.updatedAt} /> },
  { id: 'editor', header: 'Changed by', sort: 'editorName', cell: (r) => <span className="clip cell-clip"><PersonLink name={r.editorName} /></span> },
];

export default function Reports() {
  const [state, change] = useListState(USUAL);
  const [project] = useProject();
  const allowed = useAllowed();
  const query = useMemo(() => ({ ...toQuery(state), ...(project ? { projectId: project } : {}) }), [state, project]);
  const list = useQuery(reports.list(query));
  const rows = list.data?.reports ?? [];
  const create = allowed('trainings', 'create') ? (
    <Link className="button primary" to="/reports/new">
      <Plus size={15} aria-hidden /> New report
    </Link>
  ) : null;
  return (
    <Page title="Reports" sub="Text with charts that are drawn from the runs as they are now, for all members of a project." actions={rows.length > 0 ? create : null}>
      <div className="toolbar">
        <SearchBox label="Search reports" value={state.search} onChange={(search) => change({ search })} />
      </div>
      <section className="card" aria-busy={list.isPlaceholderData}>
        {list.isPending ? (
          <div className="card-body">
            <Skeleton lines={5} />
          </div>
        ) : list.isError ? (
          <Failed error={list.error} what="reports" retry={() => void list.refetch()} />
        ) : rows.length === 0 ? (
          state.search ? (
            <Empty title="No report matches">Search for a part of its title or its author.</Empty>
          ) : (
            <Empty title="No report yet" icon={<NotebookPen size={20} />} action={create}>
              A report keeps what was learned from runs: text, tables, and charts that go on with the runs.
            </Empty>
          )
        ) : (
          <Table label="Reports" columns={COLUMNS} rows={rows} rowId={(r) => r.id} order={state} onOrder={change} />
        )}
        <Pager state={state} onChange={change} total={list.data?.total} shown={rows.length} />
      </section>
    </Page>
  );
}
