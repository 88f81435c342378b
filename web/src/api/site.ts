// What the server tells everybody: the message of the day, the price of a GPU-hour, a note for signing in.
import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';

export interface Price {
  amount: number;
  currency: string;
}

export const site = queryOptions({
  queryKey: ['setting', 'site'],
  queryFn: () => api.get<{ messageOfTheDay: string; gpuHourPrice?: Price | null }>('/api/v1/site'),
  retry: false,
});

/** "24.60 EUR" for so many GPU-hours. */
export const cost = (hours: number, price: Price) => `${(hours * price.amount).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${price.currency}`;
