// The text of a report with its charts.
import { lazy, Suspense, useCallback } from 'react';
import { Markdown, type RenderCode } from '@/pages/reports/markdown';
import { Skeleton } from '@/ui/state';

const ChartBlockView = lazy(() => import('@/pages/reports/chart-block'));

/** Each chart asks the server again and again: one text must not make thousands of them. */
const MOST_BLOCKS = 40;

export function ReportBody({ text, projectId }: { text: string; projectId: number }) {
  const code = useCallback<RenderCode>(
    (language, inner, place) =>
      language === 'chart' && place < MOST_BLOCKS ? (
        <Suspense fallback={<Skeleton lines={4} />}>
          <ChartBlockView text={inner} projectId={projectId} />
        </Suspense>
      ) : null,
    [projectId],
  );
  return <Markdown text={text} code={code} />;
}
