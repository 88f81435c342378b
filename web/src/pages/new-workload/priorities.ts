// The priority classes of the scheduler, lowest first.
export const PRIORITIES: [name: string, priority: number][] = [
  ['very-low', 25],
  ['low', 40],
  ['train', 50],
  ['medium-low', 65],
  ['interactive-preemptible', 75],
  ['medium', 80],
  ['medium-high', 90],
  ['build', 100],
  ['high', 125],
  ['very-high', 150],
];
