// Changes that a link or an explanation asks for, applied to the copy of a workload.
import { isType, put, putGpus, type Spec } from '@/pages/new-workload/draft';
import type { WorkloadType } from '@/pages/workloads/kinds';

export function applyParams(spec: Spec, params: URLSearchParams): Spec {
  let next = spec;
  const gpu = params.get('gpu');
  if (gpu !== null) next = putGpus(next, gpu) ?? next;
  if (params.get('cpu')) next = put(next, 'compute.cpuCoreRequest', Number(params.get('cpu')));
  if (params.get('memory')) next = put(next, 'compute.cpuMemoryRequest', params.get('memory'));
  if (params.get('pool')) next = put(next, 'nodePools', [params.get('pool')]);
  if (params.get('workers')) next = put(next, 'numWorkers', Number(params.get('workers')));
  if (params.get('minutes')) next = put(next, 'timeLimitSeconds', Number(params.get('minutes')) * 60);
  if (params.get('preemptible')) next = put(next, 'preemptibility', 'preemptible');
  if (params.get('priority')) next = put(next, 'priorityClass', params.get('priority'));
  return next;
}

export function typeAfter(type: string, params: URLSearchParams): WorkloadType {
  const asked = params.get('type');
  if (isType(asked)) return asked;
  return isType(type) ? type : 'Training';
}

/** "net" becomes "net-2", "net-2" becomes "net-3". */
export function nextName(name: string): string {
  const match = /^(.*?)-(\d{1,4})$/.exec(name);
  const [base, number] = match ? [match[1] ?? name, Number(match[2]) + 1] : [name, 2];
  return `${base.slice(0, 57)}-${number}`;
}
