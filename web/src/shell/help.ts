// The chapter that explains a page. A test checks that each of these places is in the documentation.
const CHAPTERS: [path: RegExp, chapter: string][] = [
  [/^\/my-work/, 'user-guide#my-work'],
  [/^\/workloads\/new/, 'user-guide#start-work'],
  [/^\/workloads\/./, 'user-guide#one-workload'],
  [/^\/workloads/, 'user-guide#find-work'],
  [/^\/runs/, 'tracking'],
  [/^\/reports/, 'tracking#reports'],
  [/^\/studies/, 'tuning'],
  [/^\/queue/, 'user-guide#the-queue'],
  [/^\/overview/, 'user-guide#the-cluster'],
  [/^\/nodes/, 'admin-guide#nodes-and-gpus'],
  [/^\/node-pools/, 'admin-guide#node-pools'],
  [/^\/timeline/, 'user-guide#the-cluster'],
  [/^\/reservations/, 'admin-guide#reservations'],
  [/^\/(projects|departments)/, 'admin-guide#departments-and-projects'],
  [/^\/(users|access-rules|roles|applications)/, 'admin-guide#people-and-roles'],
  [/^\/policies/, 'admin-guide#policies'],
  [/^\/notifications/, 'notifications'],
  [/^\/(environments|compute|data-sources|credentials|templates)/, 'user-guide#assets-and-templates'],
  [/^\/analytics/, 'admin-guide#usage-and-cost'],
  [/^\/audit/, 'admin-guide#audit-log'],
  [/^\/account/, 'user-guide#account-and-tokens'],
];

export const helpPlaces = () => CHAPTERS.map(([, chapter]) => chapter);

export const helpFor = (path: string) => `/docs/${CHAPTERS.find(([page]) => page.test(path))?.[1] ?? 'first-hour'}`;
