// How strongly the holder of a part of a GPU is kept apart from its neighbours.
import type { Schemas } from '@/api/client';

export type Isolation = Schemas['GpuDevice']['isolation'];

const ABOUT: Record<Isolation, string> = {
  hardware: 'a whole GPU or a hardware partition: nobody else can reach it',
  kernel: 'the driver enforces memory limits',
  cooperative: 'a library enforces the limits: it stops accidents, not attackers',
  counted: 'the scheduler counts parts, but nothing enforces them',
  declared: 'no hardware is behind it',
};

export const isolationAbout = (level: Isolation) => ABOUT[level] ?? '';
