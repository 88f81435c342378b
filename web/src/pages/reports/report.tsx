// One report: read, written, or begun.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { queries, useAllowed } from '@/api/queries';
import { changeReport, createReport, deleteReport, reports, type Report } from '@/api/reports';
import { copyText, saveFile } from '@/lib/browser';
import { draftOf } from '@/pages/reports/draft';
import { ReportBody } from '@/pages/reports/body';
import { ReportEditor, type ReportDraft } from '@/pages/reports/editor';
import { useProject } from '@/shell/project';
import { Button } from '@/ui/button';
import { Confirm } from '@/ui/confirm';
import { Copy, Download, Pencil, Trash2 } from '@/ui/icons';
import { PersonLink, ProjectLink } from '@/ui/links';
import { NoRight } from '@/ui/no-right';
import { Page } from '@/ui/page';
import { Failed, Skeleton } from '@/ui/state';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';
import '@/pages/reports/reports.css';
import '@/pages/runs/runs.css';

export default function ReportPage() {
  const { id = '' } = useParams();
  const known = useQuery(queries.permissions).isSuccess;
  const allowed = useAllowed();
  if (id !== 'new') return <OneReport id={id} />;
  return !known || allowed('trainings', 'create') ? <NewReport /> : <NoRight title="New report" what="write a report" />;
}

function NewReport() {
  const [params] = useSearchParams();
  const [project] = useProject();
  const client = useQueryClient();
  const navigate = useNavigate();
  const first = useMemo<ReportDraft>(() => ({ title: '', text: draftOf(params), projectId: Number(params.get('project') ?? project) || 0 }), []); // eslint-disable-line
  const save = async (draft: ReportDraft) => {
    const made = await createReport(draft);
    await client.invalidateQueries({ queryKey: ['report'] });
    navigate(`/reports/${made.id}`, { replace: true });
  };
  return (
    <Page title="New report">
      <ReportEditor first={first} fixedProject={false} save={save} cancel={() => navigate('/reports')} />
    </Page>
  );
}

function OneReport({ id }: { id: string }) {
  const report = useQuery(reports.one(id));
  if (report.data) return <Loaded key={id} report={report.data} />;
  return (
    <Page title="Report">
      <div className="card card-body">{report.isError ? <Failed error={report.error} what="this report" retry={() => void report.refetch()} /> : <Skeleton lines={6} />}</div>
    </Page>
  );
}

function Loaded({ report }: { report: Report }) {
  const [editing, setEditing] = useState<Report | null>(null);
  const client = useQueryClient();
  const save = async ({ title, text }: ReportDraft) => {
    const changed = await changeReport(report.id, { title, text, revision: editing?.revision ?? report.revision });
    client.setQueryData(reports.one(report.id).queryKey, changed);
    await client.invalidateQueries({ queryKey: ['report', 'list'] });
    setEditing(null);
    toast('The report is saved');
  };
  if (editing) {
    return (
      <Page title={editing.title}>
        <ReportEditor first={editing} fixedProject save={save} cancel={() => setEditing(null)} />
      </Page>
    );
  }
  return (
    <Page
      title={report.title}
      sub={
        <>
          <ProjectLink id={String(report.projectId)} name={report.projectName} /> · by <PersonLink name={report.authorName} /> · changed <Time at={report.updatedAt} />
          {report.editorName !== report.authorName ? <> by <PersonLink name={report.editorName} /></> : null}
        </>
      }
      actions={<Actions report={report} edit={() => setEditing(report)} />}
    >
      <article className="card card-body report">
        <ReportBody text={report.text} projectId={report.projectId} />
      </article>
    </Page>
  );
}

function Actions({ report, edit }: { report: Report; edit: () => void }) {
  const allowed = useAllowed();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    await deleteReport(report.id);
    await client.invalidateQueries({ queryKey: ['report', 'list'] });
    toast(`${report.title} is deleted`);
    navigate('/reports');
  };
  const share = async () => toast((await copyText(location.href)) ? `The link is copied; members of ${report.projectName} can open it` : 'The link cannot be copied; take it from the address');
  return (
    <>
      <Button icon={<Copy size={15} />} onClick={() => void share()}>
        Share
      </Button>
      <Button icon={<Download size={15} />} onClick={() => saveFile(`${report.title.replace(/[^\p{L}\p{N} ._-]/gu, '_')}.md`, report.text, 'text/markdown')}>
        Markdown
      </Button>
      {allowed('trainings', 'update') ? (
        <Button icon={<Pencil size={15} />} onClick={edit}>
          Edit
        </Button>
      ) : null}
      {allowed('trainings', 'delete') ? (
        <Button tone="danger" icon={<Trash2 size={15} />} onClick={() => setAsking(true)}>
          Delete
        </Button>
      ) : null}
      {asking ? (
        <Confirm title={`Delete ${report.title}?`} action="Delete" danger run={remove} onClose={() => setAsking(false)}>
          <p>It goes for every member of {report.projectName} and cannot be brought back. The runs stay.</p>
        </Confirm>
      ) : null}
    </>
  );
}
