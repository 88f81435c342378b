import { describe, expect, it } from 'vitest';
import { toCli } from '@/pages/new-workload/cli';
import type { Draft } from '@/pages/new-workload/draft';
import { slug } from '@/pages/new-workload/draft';
import { fromEditedCli, namesOf, unsaid } from '@/pages/new-workload/keep';
import { PRESETS, withToken } from '@/pages/new-workload/presets';
import { durationText, parseDuration } from '@/lib/time';

const NOTEBOOK: Draft = { type: 'Workspace', name: 'notes', project: 'vision', spec: { command: 'jupyter lab', exposedUrls: [{ container: 8888 }], compute: { gpuDevicesRequest: 1, gpuRequestType: 'portion', gpuPortionRequest: 1, gpuCompute: 'fair' } } };

describe('an edited command line', () => {
  it('keeps what it has no words for', () => {
    const edited = fromEditedCli((toCli(NOTEBOOK) ?? '').replace('--gpu 1', '--gpu 2'), NOTEBOOK);
    expect(edited.ok && edited.draft.spec.exposedUrls).toEqual([{ container: 8888 }]);
    expect(edited.ok && edited.draft.spec.compute).toMatchObject({ gpuDevicesRequest: 2, gpuCompute: 'fair' });
  });

  it('names what it leaves out', () => {
    expect(namesOf(unsaid(NOTEBOOK))).toEqual(['exposedUrls', 'compute.gpuCompute']);
  });
});

describe('a preset', () => {
  it('listens on the port and at the path that the server gives', () => {
    const spec = PRESETS[0]?.make(() => 'secret') ?? {};
    expect(String(spec.args)).toContain('$GPUYARD_PORT');
    expect(String(spec.args)).toContain('$GPUYARD_BASE_URL');
    expect(withToken('/vision/notes/', 'jupyter-notebook', spec)).toBe('/vision/notes/lab?token=secret');
  });
});

describe('what people type', () => {
  it('becomes a name that is accepted', () => {
    expect(slug('My Notebook (2)')).toBe('my-notebook-2');
  });

  it('is a length of time in the units they know', () => {
    expect([parseDuration('2h'), parseDuration('1h30m'), parseDuration('90m'), parseDuration('3'), parseDuration('soon')]).toEqual([7200, 5400, 5400, 10800, null]);
    expect(durationText(5400)).toBe('1h30m');
  });
});
