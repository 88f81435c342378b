// Advance reservations: GPUs kept for a project's work during a window.
import { queryOptions } from '@tanstack/react-query';
import { api, wholeList, type Schemas } from '@/api/client';

export type Reservation = Schemas['Reservation'];
export type ReservationState = Reservation['state'];

const PATH = '/api/v1/reservations';

/** Those with the latest end: all that are to come, and of the ended ones as many as an answer holds. */
export const reservations = queryOptions({
  queryKey: ['reservation'],
  queryFn: () => wholeList(async (part) => (await api.get<Schemas['ReservationList']>(PATH, { ...part, sortBy: 'end', sortOrder: 'desc' })).reservations),
});

export const keepGpus = {
  create: (draft: Schemas['ReservationDraft']) => api.post<Reservation>(PATH, draft),
  change: (id: string, change: Schemas['ReservationChange']) => api.put<Reservation>(`${PATH}/${id}`, change),
  giveUp: (id: string) => api.del(`${PATH}/${id}`),
};

/** Its state at a moment; the one in an answer is as old as the answer. */
export function stateAt(one: Pick<Reservation, 'start' | 'end'>, now: number): ReservationState {
  if (now < Date.parse(one.start)) return 'upcoming';
  return now < Date.parse(one.end) ? 'active' : 'ended';
}
