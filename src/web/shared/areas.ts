/** Texts of the top bar. The studio renders it in the browser, the pages of dashboards on the server. */
export const topBarTexts = {
  areas: 'Areas',
  search: 'Search',
  searchShortcut: 'Ctrl K',
  jobs: 'Background tasks',
  newWorkspace: 'New workspace…',
  workspace: 'Workspace',
  accountOf: (name: string) => `Account of ${name}`,
  profile: 'Your profile',
  help: 'Help (opens in a new tab)',
  signOut: 'Sign out',
} as const;

interface Area {
  path: string;
  label: string;
  /** Whether clients of the organization have it, who view dashboards and nothing else. */
  isForClients: boolean;
}

/** The areas of the studio, in the order of the top bar. */
export const AREAS: readonly Area[] = [
  { path: '/surveys', label: 'Surveys', isForClients: false },
  { path: '/dashboards', label: 'Dashboards', isForClients: true },
  { path: '/reports', label: 'Reports', isForClients: false },
  { path: '/respondents', label: 'Respondents', isForClients: false },
  { path: '/settings', label: 'Settings', isForClients: true },
];

/** A dialog or a menu of the studio that a link from a page of the server opens. */
export type OpenedAtOnce = 'search' | 'jobs' | 'share';

/** Returns the address of a page of the studio that opens a dialog or a menu at once. */
export const addressThatOpens = (path: string, opened: OpenedAtOnce): string => `${path}?open=${opened}`;

/** Returns the areas that users of a role have. */
export const areasOf = ({ isClient }: { isClient: boolean }): readonly Area[] =>
  AREAS.filter(({ isForClients }) => !isClient || isForClients);
