import { counted, formatNumber } from './counts.ts';

export const surveysTexts = {
  title: 'Surveys',
  list: 'Surveys',
  search: 'Search surveys',
  filter: 'Status',
  allStatuses: 'All',
  newSurvey: 'New survey',
  name: 'Name',
  status: 'Status',
  responses: 'Responses',
  responseCount: (count: number) => counted(count, 'response', 'responses'),
  edited: 'Last edited',
  editedAt: 'Edited',
  editedBy: (name: string) => `by ${name}`,
  noActivity: 'No complete responses in the last 14 days',
  activity: (count: number, busiest: string, most: number) =>
    `${counted(count, 'complete response', 'complete responses')} in the last 14 days, most on ${busiest}: ${formatNumber(most)}`,
  unpublished: 'Unpublished changes',
  count: (count: number) => counted(count, 'survey', 'surveys'),
  actions: (name: string) => `Actions for ${name}`,
  results: 'Results',
  download: 'Download as file',
  duplicate: 'Duplicate',
  duplicated: (name: string) => `${name} created`,
  close: 'Close',
  closed: (name: string) => `${name} closed`,
  reopen: 'Reopen',
  reopened: (name: string) => `${name} reopened`,
  delete: 'Delete',
  deleted: (name: string) => `${name} deleted`,
  showDeleted: 'Show deleted surveys',
  noneDeleted: 'No deleted surveys',
  noneDeletedAbout: (days: number) =>
    `You can restore surveys here for ${counted(days, 'day', 'days')} after you delete them.`,
  noMatch: 'No surveys match',
  noMatchAbout: 'Try another word or another status.',
  emptyTitle: 'Write your first survey',
  emptyAbout: 'Start from a template, paste questions that you already have, or begin with an empty page.',
  emptyViewer: 'This workspace has no surveys yet.',
  firstSteps: {
    title: 'First steps',
    progress: (done: number, count: number) => `${done} of ${count} done`,
    hide: 'Hide',
    done: '(done)',
    create: 'Write a survey',
    publish: 'Publish it',
    collect: 'Collect a response, or add test responses',
    share: 'Add a figure of the results to a dashboard',
    invite: 'Invite a colleague',
  },
} as const;

export const surveyFrameTexts = {
  tabs: 'Survey',
  breadcrumb: 'Surveys',
  edit: 'Edit',
  translate: 'Translate',
  /** Labels of these two for viewers. */
  readQuestions: 'Questions',
  readTranslations: 'Translations',
  collect: 'Collect',
  results: 'Results',
  weights: 'Weights',
  responses: 'Responses',
  settingsButton: 'Survey settings',
  versionsButton: 'Versions',
  rename: 'Click to rename',
  nameHint: 'Respondents see this name',
  help: 'Help',
  helpAbout: (tab: string) => `with ${tab} (opens in a new tab)`,
  surveyName: 'Survey name',
  notFound: 'This survey does not exist',
  notFoundAbout: 'It was deleted, or you have no access to its workspace.',
} as const;

export const surveyStatusTexts = { 0: 'Deleted', 1: 'Draft', 2: 'Active', 3: 'Closed' } as const;

/** Of an active survey that takes no responses now. */
export const collectionStatusTexts = { closed: 'Closed', full: 'Limit reached' } as const;
