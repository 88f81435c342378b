// How far work is, from what its program has logged. Pure.
import type { Run } from '@/api/runs';
import { metricText } from '@/pages/runs/values';

/** "step 1,200, loss 0.31": the metric that was logged at the newest step. Nothing without one. */
export function progressOf(run: Run | undefined): string | null {
  const newest = [...(run?.metrics ?? [])].sort((a, b) => b.step - a.step || a.name.localeCompare(b.name))[0];
  if (!newest) return null;
  return `step ${newest.step.toLocaleString('en')}, ${newest.name} ${metricText(newest.value)}`;
}
