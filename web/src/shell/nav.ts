// The places of the dashboard, in the order people read them.
import {
  BarChart3,
  Bell,
  CalendarRange,
  ChartGantt,
  Boxes,
  Building2,
  Cpu,
  Database,
  FileClock,
  FlaskConical,
  FolderKanban,
  Gauge,
  KeyRound,
  LayoutTemplate,
  ListOrdered,
  NotebookPen,
  Package,
  Server,
  ShieldCheck,
  SlidersHorizontal,
  Target,
  UserCog,
  UserRound,
  Users,
  Workflow,
  AppWindow,
  type LucideIcon,
} from '@/ui/icons';

export interface Place {
  path: string;
  label: string;
  icon: LucideIcon;
  /** Shown to those who may read one of these; to everybody without. */
  needs?: string[];
  words?: string;
}

export interface PlaceGroup {
  label: string;
  places: Place[];
}

const WORK = ['workloads', 'workspaces', 'trainings', 'inferences', 'jobs'];

export const GROUPS: PlaceGroup[] = [
  {
    label: 'Work',
    places: [
      { path: '/my-work', label: 'My work', icon: UserRound, words: 'home mine' },
      { path: '/workloads', label: 'Workloads', icon: Boxes, needs: WORK, words: 'jobs workspaces trainings' },
      { path: '/runs', label: 'Runs', icon: FlaskConical, needs: ['trainings'], words: 'experiments metrics tracking mlflow wandb tensorboard compare' },
      { path: '/reports', label: 'Reports', icon: NotebookPen, needs: ['trainings'], words: 'markdown charts notes write share runs' },
      { path: '/studies', label: 'Studies', icon: Target, needs: ['trainings'], words: 'tuning tune hyperparameters search optuna sweep trials' },
      { path: '/queue', label: 'Queue', icon: ListOrdered, needs: WORK, words: 'waiting pending order' },
    ],
  },
  {
    label: 'Cluster',
    places: [
      { path: '/overview', label: 'Overview', icon: Gauge, needs: ['dashboards-overview', 'nodes'], words: 'dashboard tiles' },
      { path: '/nodes', label: 'Nodes and GPUs', icon: Server, needs: ['nodes'], words: 'machines gpu drain' },
      { path: '/timeline', label: 'Timeline', icon: ChartGantt, needs: WORK, words: 'gantt past planned gpus' },
      { path: '/reservations', label: 'Reservations', icon: CalendarRange, needs: ['project'], words: 'calendar reserve booking deadline advance' },
      { path: '/node-pools', label: 'Node pools', icon: Workflow, needs: ['nodepools'] },
    ],
  },
  {
    label: 'Organisation',
    places: [
      { path: '/projects', label: 'Projects', icon: FolderKanban, needs: ['project'], words: 'quota' },
      { path: '/departments', label: 'Departments', icon: Building2, needs: ['department'], words: 'quota' },
      { path: '/users', label: 'Users', icon: Users, needs: ['users'], words: 'people accounts' },
      { path: '/applications', label: 'Applications', icon: AppWindow, needs: ['apps'], words: 'clients secrets' },
      { path: '/roles', label: 'Roles', icon: UserCog, needs: ['roles'], words: 'permissions' },
      { path: '/access-rules', label: 'Access rules', icon: ShieldCheck, needs: ['access_rules'], words: 'permissions' },
      { path: '/policies', label: 'Policies', icon: SlidersHorizontal, needs: ['policies'], words: 'rules defaults' },
      { path: '/notifications', label: 'Notifications', icon: Bell, words: 'mail slack webhook alerts' },
    ],
  },
  {
    label: 'Assets',
    places: [
      { path: '/environments', label: 'Environments', icon: Package, needs: ['environments'], words: 'images containers' },
      { path: '/compute', label: 'Compute resources', icon: Cpu, needs: ['compute-resources'], words: 'gpu cpu memory' },
      {
        path: '/data-sources',
        label: 'Data sources',
        icon: Database,
        needs: ['nfs-assets', 'pvc-assets', 'git-assets', 'host-path-assets', 's3-assets'],
        words: 'volumes nfs git s3',
      },
      { path: '/credentials', label: 'Credentials', icon: KeyRound, needs: ['credentials'], words: 'secrets keys' },
      { path: '/templates', label: 'Templates', icon: LayoutTemplate, needs: ['templates'] },
    ],
  },
  {
    label: 'Analytics',
    places: [
      { path: '/analytics', label: 'Analytics', icon: BarChart3, needs: ['dashboards-analytics', ...WORK], words: 'usage report gpu-hours charts utilisation waiting' },
      { path: '/audit', label: 'Audit log', icon: FileClock, needs: ['events-history'], words: 'history who changed' },
    ],
  },
];

