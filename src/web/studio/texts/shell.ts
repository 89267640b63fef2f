import { topBarTexts } from '../../shared/areas.ts';
import { counted } from './counts.ts';

export const shellTexts = {
  title: 'Canvass',
  needsScript: 'This page needs JavaScript. Turn on JavaScript and load the page again.',
  apiDocs: 'API documentation',
  workspace: {
    create: 'Create workspace',
    created: (name: string) => `${name} created`,
    name: 'Name',
    nameHint: 'For example a client, a team or a project.',
    color: 'Color',
    visibility: 'Who can see it',
    visibilities: [
      ['1', 'Only you'],
      ['2', 'All members of the organization'],
      ['3', 'You and people whom you invite'],
    ],
  },
  noWorkspace: 'No workspace',
  otherOrganization: 'Other organization',
  credits: (count: number) => counted(count, 'AI credit', 'AI credits'),
  notLoaded: 'The page could not be loaded',
  sessionEnded: 'Sign in to continue',
  sessionEndedAbout: 'Your session has ended. What you have entered on this page is kept.',
  otherUser: 'Sign in with the same account, or load the page again to use another one.',
  notFound: 'This page does not exist',
  notFoundAbout: 'The address may be wrong.',
  toSurveys: 'Go to surveys',
  toDashboards: 'Go to dashboards',
  noWorkspaceAbout: 'You have no access to a workspace yet. Ask an administrator to add you to one.',
} as const;

export const searchTexts = {
  title: 'Search',
  label: 'Search surveys, questions, dashboards and reports',
  results: 'Results',
  surveys: 'Surveys',
  questions: 'Questions',
  dashboards: 'Dashboards',
  reports: 'Reports',
  inSurvey: (code: string, survey: string) => `${code} in ${survey}`,
  pages: 'Pages',
  none: (text: string) => `Nothing matches “${text}”.`,
  hint: 'Arrow keys to move, Enter to open',
} as const;

export const jobsTexts = {
  title: topBarTexts.jobs,
  button: (running: number) => (running === 0 ? topBarTexts.jobs : `${running} in progress`),
  fileStarted: 'Creating the file…',
  fileSaved: (name: string) => `${name} downloaded`,
  failed: 'The file could not be created.',
  empty: 'No background tasks. Files that you export stay here for a day.',
  download: 'Download',
  cancel: 'Cancel',
  remove: 'Remove',
  /** By kind of job. */
  kinds: {
    response_export: 'Export of responses',
    report_export: 'Report file',
    campaign: 'Sending invitations',
    analysis: 'Analysis of answers',
  },
  otherKind: 'Background task',
  status: {
    queued: 'Waiting',
    running: 'In progress',
    done: 'Done',
    failed: 'Failed',
    cancelled: 'Canceled',
  },
} as const;
