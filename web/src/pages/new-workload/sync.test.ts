import { describe, expect, it } from 'vitest';
import { fromCli, toCli } from '@/pages/new-workload/cli';
import { gpuText, missing, put, putGpus, type Draft } from '@/pages/new-workload/draft';
import { quote, split } from '@/pages/new-workload/words';
import { fromYaml, toYaml } from '@/pages/new-workload/yaml';
import { applyChange } from '@/pages/workload/counterfactual';
import { safeUrl } from '@/pages/workload/connections';

const DRAFT: Draft = {
  type: 'Training',
  name: 'first-steps',
  project: 'vision',
  spec: {
    image: 'docker.io/library/python:3.12',
    command: `python -c 'print("hello world")'`,
    compute: { gpuDevicesRequest: 1, gpuRequestType: 'portion', gpuPortionRequest: 0.5, cpuCoreRequest: 4, cpuMemoryRequest: '16G', largeShmRequest: true },
    environmentVariables: [{ name: 'MODE', value: "it's on" }],
    nodePools: ['a100', 'default'],
    timeLimitSeconds: 7200,
    retry: { limit: 2 },
    hold: true,
    storage: { nfs: [{ server: 'nfs', path: '/x', mountPath: '/data', readOnly: true }] },
  },
};

function read(parsed: ReturnType<typeof fromCli>): Draft {
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.draft;
}

describe('form, YAML and command line', () => {
  it('show the same draft after a round through YAML', () => {
    expect(read(fromYaml(toYaml(DRAFT)))).toEqual(DRAFT);
  });

  it('show the same draft after a round through the command line', () => {
    expect(read(fromCli(toCli(DRAFT) ?? ''))).toEqual(DRAFT);
  });

  it('tell the types apart on the command line', () => {
    expect(toCli({ ...DRAFT, type: 'Workspace' })).toMatch(/^gpuyard dev --detach /);
    expect(read(fromCli('gpuyard submit --workers 4 --framework MPI -- ./run.sh')).type).toBe('Distributed');
    expect(toCli({ ...DRAFT, type: 'Inference' })).toBeNull();
  });

  it('understand the short and the glued spelling', () => {
    const draft = read(fromCli('gy submit -n x -p y -g 2 --mem=32G -t 90m -e A=b=c -- python train.py --lr 0.1'));
    expect(draft).toEqual({
      type: 'Training',
      name: 'x',
      project: 'y',
      spec: {
        compute: { gpuDevicesRequest: 2, gpuRequestType: 'portion', gpuPortionRequest: 1, cpuMemoryRequest: '32G' },
        timeLimitSeconds: 5400,
        environmentVariables: [{ name: 'A', value: 'b=c' }],
        command: 'python train.py --lr 0.1',
      },
    });
  });

  it('say what they do not understand', () => {
    expect(fromCli('rm -rf /').ok).toBe(false);
    expect(fromCli("gpuyard submit --name 'x")).toEqual({ ok: false, message: 'a quote is not closed' });
    expect(fromCli('gpuyard submit --colour red')).toEqual({ ok: false, message: '--colour is not known here' });
    expect(fromCli('gpuyard submit --gpu')).toEqual({ ok: false, message: '--gpu needs a value' });
    expect(fromYaml('kind: Pod\n').ok).toBe(false);
    expect(fromYaml('a: [').ok).toBe(false);
    expect(fromYaml('kind: Training\nspc: {}\n')).toEqual({ ok: false, message: "'spc' is not known here; there are kind, metadata and spec" });
  });

  it('keep fields of the YAML that the form does not show', () => {
    const draft = read(fromYaml('kind: Training\nmetadata: {name: a, project: b}\nspec: {security: {runAsUid: 7}}\n'));
    expect(put(draft.spec, 'image', 'x')).toEqual({ security: { runAsUid: 7 }, image: 'x' });
  });
});

describe('a draft', () => {
  it('takes whole GPUs and parts of one, and nothing else', () => {
    expect(gpuText(putGpus({}, '0.25') ?? {})).toBe('0.25');
    expect(gpuText(putGpus({}, '8') ?? {})).toBe('8');
    expect(putGpus({}, '1.5')).toBeNull();
    expect(putGpus({}, 'two')).toBeNull();
    expect(putGpus(putGpus({}, '2') ?? {}, '')).toEqual({});
  });

  it('says what is missing', () => {
    expect(missing({ type: 'Training', name: '', project: 'x', spec: {} })).toEqual(['a name', 'an image or a command']);
    expect(missing(DRAFT)).toEqual([]);
  });
});

describe('words of a shell', () => {
  it('come back as they were', () => {
    for (const word of ['plain', 'two words', "it's", '"both" \'kinds\'', '$HOME', 'a\\b', '']) expect(split(quote(word))).toEqual([word]);
  });
});

describe('alternatives of an explanation', () => {
  it('become changes of the form', () => {
    expect(applyChange('with 0.5 GPU per task')).toBe('gpu=0.5');
    expect(applyChange('with 512 MiB of memory per task')).toBe('memory=512Mi');
    expect(applyChange('with a time limit of 90 min')).toBe('minutes=90');
    expect(applyChange('on pool dev')).toBe('pool=dev');
    expect(applyChange('as preemptible')).toBe('preemptible=true');
    expect(applyChange('if the quota of vision in pool default were 1 GPU larger')).toBeNull();
  });
});

describe('links that others typed', () => {
  it('are followed only to web pages', () => {
    expect(safeUrl('https://wandb.example.org/run/1')).toBe('https://wandb.example.org/run/1');
    expect(safeUrl('javascript:alert(1)')).toBeNull();
  });
});
