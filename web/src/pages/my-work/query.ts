import { queries } from '@/api/queries';

const RECENT = 100;

/** The newest work of a person. */
export const myWork = (username: string) => queries.workloads({ filterBy: `submittedBy==${username}`, sortBy: 'createdAt', sortOrder: 'desc', limit: RECENT });
