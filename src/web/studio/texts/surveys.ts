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
  showMore: 'Show more',
  count: (count: number) => counted(count, 'survey', 'surveys'),
  actions: (name: string) => `Actions for ${name}`,
  open: 'Open',
  results: 'Results',
  duplicate: 'Duplicate',
  duplicated: (name: string) => `${name} created`,
  close: 'Close',
  closed: (name: string) => `${name} closed`,
  reopen: 'Reopen',
  reopened: (name: string) => `${name} reopened`,
  delete: 'Delete',
  deleted: (name: string) => `${name} deleted`,
  undo: 'Undo',
  restored: (name: string) => `${name} restored`,
  restore: 'Restore',
  restoreName: (name: string) => `Restore ${name}`,
  deletedAt: 'Deleted',
  noneDeleted: 'No deleted surveys',
  noneDeletedAbout: 'Surveys that you delete can be restored here for 30 days.',
  noMatch: 'No surveys match',
  noMatchAbout: 'Try another word or another status.',
  emptyTitle: 'Write your first survey',
  emptyAbout: 'Start from a template, paste questions that you already have, or begin with an empty page.',
  emptyViewer: 'This workspace has no surveys yet.',
  steps: ['Write the questions', 'Publish and share the link', 'Watch the results arrive'],
} as const;

export const surveyFrameTexts = {
  tabs: 'Survey',
  breadcrumb: 'Surveys',
  edit: 'Edit',
  collect: 'Collect',
  results: 'Results',
  responses: 'Responses',
  notFound: 'This survey does not exist',
  notFoundAbout: 'It was deleted, or you have no access to its workspace.',
} as const;

export const surveyStatusTexts = { 0: 'Deleted', 1: 'Draft', 2: 'Active', 3: 'Closed' } as const;

/** Of an active survey that takes no responses now. */
export const collectionStatusTexts = { closed: 'Closed', full: 'Limit reached' } as const;
