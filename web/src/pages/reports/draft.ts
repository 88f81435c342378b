// What a new report begins with: the charts that somebody was looking at, else a few words on how. Pure.
import type { Axis } from '@/pages/runs/lines';
import { writeBlock, type ChartBlock } from '@/pages/reports/block';

const split = (text: string | null) => (text ?? '').split(',').filter(Boolean);

export const EMPTY = `## What we asked

Say what was tried, and why.

${writeBlock({ title: 'The five newest runs', metrics: ['loss'], limit: 5 })}

## What we found

`;

/** The look of the page "Compare", as it stands in the address that leads to a new report. */
export function draftOf(params: URLSearchParams): string {
  const runs = split(params.get('runs'));
  const metrics = split(params.get('metrics'));
  if (runs.length === 0 || metrics.length === 0) return EMPTY;
  const look: Partial<ChartBlock> = {
    runs,
    axis: (params.get('axis') as Axis | null) ?? 'step',
    smoothing: Math.min(0.99, Math.max(0, Number(params.get('smooth') ?? 0) || 0)),
    log: params.get('log') === '1',
    logX: params.get('logx') === '1',
    group: params.get('group') ?? '',
  };
  return ['## What we compared', ...metrics.map((metric) => writeBlock({ ...look, metrics: [metric] })), '## What we found', ''].join('\n\n');
}
