import { counted } from './counts.ts';

export const outboxTexts = {
  title: 'Outbox',
  about: (count: number) => counted(count, 'email that was not sent', 'emails that were not sent'),
  explanation:
    'Without a mail server, invitations are kept here. Pass the personal link on in another way: it counts as the answer of this person.',
  emptyTitle: 'The outbox is empty',
  empty: 'Invitations are kept here while the installation has no mail server.',
  noMatch: 'No emails match',
  search: 'Find an email address',
  ofSurvey: 'Only emails of one survey are shown.',
  showAll: 'Show all',
  read: 'Read',
  readName: (to: string) => `Read the email to ${to}`,
  letterTo: (to: string) => `Email to ${to}`,
  linkOf: (to: string) => `personal link of ${to}`,
  close: 'Close',
  notAllowed: 'You need edit permission in this workspace to read its outbox.',
} as const;
