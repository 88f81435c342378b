// The state of a list: filters, search, order, page. It lives in the address, so that every view can
// be linked, and it becomes the API's query.

export const OPERATORS = ['==', '!=', '=@', '!@', '=^', '=$', '>=', '<='] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Condition {
  field: string;
  op: Operator;
  value: string;
}

export interface ListState {
  search: string;
  conditions: Condition[];
  /** Values of a closed set, any of which may hold: field → chosen values. */
  any: Record<string, string[]>;
  sort: string;
  descending: boolean;
  page: number;
  size: number;
}

export const PAGE_SIZES = [25, 50, 100, 250];

export function emptyList(size = 50): ListState {
  return { search: '', conditions: [], any: {}, sort: '', descending: false, page: 0, size };
}

// A comma separates conditions and cannot be quoted: a value with commas becomes one "contains" per part.
function written(field: string, op: Operator, value: string): string[] {
  if (!value.includes(',')) return [`${field}${op}${value}`];
  const parts = value.split(',').map((part) => part.trim());
  return parts.filter(Boolean).map((part) => `${field}=@${part}`);
}

/** "field==value" parts, as an address writes them. */
export function formatCondition(c: Condition): string {
  return `${c.field}${c.op}${c.value}`;
}

export function parseCondition(text: string): Condition | null {
  const match = /^([A-Za-z][A-Za-z0-9]*(?:\..+?)?)(==|!=|=@|!@|=\^|=\$|>=|<=)(.*)$/s.exec(text);
  if (!match || match[3] === '') return null;
  return { field: match[1] as string, op: match[2] as Operator, value: match[3] as string };
}

/** Address parameters of a list; what equals the default is left out. */
export function toParams(state: ListState, defaults: ListState): URLSearchParams {
  const params = new URLSearchParams();
  if (state.search) params.set('q', state.search);
  for (const condition of state.conditions) params.append('where', formatCondition(condition));
  for (const [field, values] of Object.entries(state.any)) {
    if (values.length > 0) params.set(`is.${field}`, values.join('|'));
  }
  const order = (s: ListState) => (s.sort ? `${s.descending ? '-' : ''}${s.sort}` : '');
  if (order(state) !== order(defaults)) params.set('sort', order(state) || 'none');
  if (state.page > 0) params.set('page', String(state.page + 1));
  if (state.size !== defaults.size) params.set('size', String(state.size));
  return params;
}

export function fromParams(params: URLSearchParams, defaults: ListState): ListState {
  const state: ListState = { ...defaults, conditions: [], any: {}, search: params.get('q') ?? '' };
  for (const text of params.getAll('where')) {
    const condition = parseCondition(text);
    if (condition) state.conditions.push(condition);
  }
  for (const [key, value] of params) {
    if (key.startsWith('is.') && value) state.any[key.slice(3)] = value.split('|');
  }
  const sort = params.get('sort');
  if (sort !== null) {
    state.descending = sort.startsWith('-');
    state.sort = sort === 'none' ? '' : sort.replace(/^-/, '');
  }
  state.page = Math.max(0, (Number.parseInt(params.get('page') ?? '1', 10) || 1) - 1);
  const size = Number.parseInt(params.get('size') ?? '', 10);
  if (PAGE_SIZES.includes(size)) state.size = size;
  return state;
}

/**
 * The API's filterBy. Its conditions all have to hold, so "one of these values" is written as
 * "none of the others": `sets` names every value of such a field.
 */
export function filterBy(state: ListState, sets: Record<string, readonly string[]>): string {
  const parts = state.conditions.flatMap((c) => written(c.field, c.op, c.value));
  for (const [field, chosen] of Object.entries(state.any)) {
    const all = sets[field] ?? [];
    if (chosen.length === 1) parts.push(`${field}==${chosen[0]}`);
    else if (chosen.length > 1) {
      for (const value of all) if (!chosen.includes(value)) parts.push(`${field}!=${value}`);
    }
  }
  return parts.join(',');
}

export interface ListQuery {
  filterBy?: string;
  search?: string;
  sortBy?: string;
  sortOrder?: 'asc' | 'desc';
  offset?: number;
  limit?: number;
}

export function toQuery(state: ListState, sets: Record<string, readonly string[]> = {}): ListQuery {
  const filter = filterBy(state, sets);
  return {
    ...(filter ? { filterBy: filter } : {}),
    ...(state.search ? { search: state.search } : {}),
    ...(state.sort ? { sortBy: state.sort, sortOrder: state.descending ? 'desc' : 'asc' } : {}),
    offset: state.page * state.size,
    limit: state.size,
  };
}
