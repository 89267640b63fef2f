import { counted, formatNumber } from './counts.ts';

const invitations = (count: number) => counted(count, 'invitation', 'invitations');
const people = (count: number) => counted(count, 'person', 'people');

export const invitationsTexts = {
  title: 'Invitations',
  about:
    'Send each person an email with a personal link, remind those who have not answered, and see how far they are.',
  anonymousAbout:
    'This survey is anonymous, so it does not show who answered. Answers are counted from the next day on, in groups of at least five.',
  invite: 'Invite by email',
  none: 'No one has been invited yet.',
  sending: (left: number) => `${invitations(left)} waiting to be sent`,
  link: 'Link',
  rate: (percent: number) => `${formatNumber(percent)}% have completed`,
  steps: {
    kept: 'Not sent',
    sent: 'Sent',
    opened: 'Opened',
    started: 'Started',
    completed: 'Completed',
  },
  exits: (failed: number, optedOut: number) =>
    [
      failed === 0 ? '' : `${formatNumber(failed)} not delivered`,
      optedOut === 0 ? '' : `${formatNumber(optedOut)} unsubscribed`,
    ]
      .filter((text) => text !== '')
      .join(' · '),
  remind: 'Remind…',
  remindName: (link: string) => `Remind people of ${link}`,
  sendReminder: 'Send reminder',
  remindTitle: 'Send a reminder?',
  remindAbout: (count: number) =>
    count === 1
      ? 'One person has not completed the survey. The email of the invitation is sent again.'
      : `${people(count)} have not completed the survey. The email of the invitation is sent again.`,
  remindAnonymously:
    'The email of the invitation is sent again to everyone who has not answered. Because the survey is anonymous, it does not show how many they are.',
  remindedAnonymously: 'Reminders are sent to those who have not answered',
  remindNone: 'Everyone who was invited through this link has answered or unsubscribed.',
  reminded: (count: number) => `${counted(count, 'reminder', 'reminders')} on the way`,
  keptReminders: (count: number) =>
    `${counted(count, 'reminder', 'reminders')} kept in the outbox, not sent: no mail server`,
  remindersScheduled: (count: number) => `${counted(count, 'reminder', 'reminders')} scheduled`,
  people: 'People',
  peopleOf: (link: string) => `People invited through ${link}`,
  person: 'Person',
  state: 'Status',
  lastStep: 'Last step',
  personalLink: 'Personal link',
  erased: 'Erased person',
  close: 'Close',
  statuses: {
    queued: 'Waiting to be sent',
    kept: 'Not sent: no mail server',
    sent: 'Sent',
    opened: 'Opened',
    started: 'Started',
    completed: 'Completed',
    failed: 'Not delivered',
    bounced: 'Returned',
    opted_out: 'Unsubscribed',
    suppressed: 'Unsubscribed before',
  },
  back: 'Back to Collect',

  recipients: 'Recipients',
  way: 'Where the addresses are',
  ways: { file: 'In a file', text: 'I paste them' },
  chooseFile: 'Choose a file',
  chooseOther: 'Choose another file',
  fileHint: 'CSV or Excel (.xlsx) with one person per line and a heading for each column.',
  reading: 'Reading the file…',
  columns: 'What the columns are',
  column: 'Column',
  meaning: 'Meaning',
  meaningOf: (header: string) => `Meaning of “${header}”`,
  meanings: {
    email: 'Email address',
    name: 'Name',
    external_id: 'External ID, from another system',
    language: 'Language',
    opted_out: 'Unsubscribed',
  },
  detail: (name: string) => `Detail “${name}”`,
  leaveOut: 'Leave out',
  found: (valid: number) => `${people(valid)} in the file`,
  failed: (count: number) =>
    count === 1
      ? 'One row has a problem and is left out'
      : `${formatNumber(count)} rows have problems and are left out`,
  row: 'Row',
  problem: 'Problem',
  moreProblems: (count: number) => `and ${formatNumber(count)} more`,
  addresses: 'Addresses',
  addressesHint: 'One person per line: an email address, or a name with the address in angle brackets.',
  addressesExample: 'grace@example.org\nAmara Okafor <amara@example.org>',
  line: (index: number) => `Line ${index}`,

  message: 'Email',
  subject: 'Subject',
  text: 'Message',
  textHint:
    'An empty line starts a paragraph. The link becomes a button. Leave empty for a standard text in the language of each person. Format: **bold**, _italic_, [link](https://…), # heading, - list.',
  insert: 'Insert',
  insertName: (name: string) => `Insert ${name} into the message`,
  variables: { name: 'Name', email: 'Email address', survey: 'Survey name', link: 'Link' },
  preview: 'As received',
  previewOf: 'Email as it is received',
  previewFrom: 'Subject',
  test: 'Send a test to me',
  tested: (address: string) => `Test sent to ${address}`,
  noMailTitle: 'No email will be sent',
  noMail:
    'This installation has no mail server, so invitations are kept in the outbox. You can read each email there and pass its personal link on. An administrator can set up a mail server, as the help describes under “Install”.',
  toOutbox: 'Open the outbox',

  sendingTitle: 'Sending',
  throughLink: 'Link for the responses',
  reminders: 'Reminders',
  remindersHint:
    'Days after the invitation, such as “3, 7”. Only people who have not completed the survey get them. Leave empty for none.',
  notDays: 'must be numbers of days from 1 to 365, such as 3, 7',
  waits: (wave: string) => `The emails wait until ${wave} starts.`,
  noLink: 'Create a link first. Invitations need a link for everyone or for one person, not one of a panel.',
  send: 'Send invitations',
  sendTitle: (count: number) => `Invite ${people(count)}?`,
  sendAbout:
    'People who unsubscribed, and those who were invited through this link before, are left out. Sent emails cannot be taken back.',
  sendAt: 'Send at',
  sendAtHint: (timeZone: string) =>
    `Date and time in ${timeZone}, at most 90 days ahead. Leave empty to send at once.`,
  pastTime: 'must be a time in the future',
  schedule: 'Schedule invitations',
  scheduleAbout:
    'Until then you can cancel the emails. If the survey is closed at that time, they are not sent. People who unsubscribed are left out.',
  scheduledFor: (time: string) => `Scheduled for ${time}`,
  scheduledResult: (queued: number) => `${invitations(queued)} scheduled`,
  waitsBecause: (reason: string, nextAttempt: string) => `${reason}. Next attempt: ${nextAttempt}`,
  emails: (count: number) => (count === 1 ? '1 email' : `${formatNumber(count)} emails`),
  cancel: 'Cancel',
  cancelScheduled: (time: string) => `Cancel the emails scheduled for ${time}`,
  cancelTitle: 'Cancel these emails?',
  cancelAction: 'Cancel emails',
  cancelAbout: (count: number, time: string) =>
    `${count === 1 ? 'One email' : `${formatNumber(count)} emails`} scheduled for ${time} will not be sent, and their reminders neither.`,
  canceled: 'Scheduled emails canceled',
  needsRecipients: 'Add recipients first.',
  result: (queued: number) => `${invitations(queued)} on the way`,
  keptResult: (queued: number) => `${invitations(queued)} kept in the outbox, not sent: no mail server`,
  keepAction: 'Write invitations',
  keepAbout:
    'No email is sent, because this installation has no mail server. The emails are kept in the outbox with a personal link for each person.',
  leftOut: (suppressed: number, duplicates: number) =>
    [
      suppressed === 0 ? '' : `${formatNumber(suppressed)} unsubscribed before`,
      duplicates === 0 ? '' : `${formatNumber(duplicates)} invited before`,
    ]
      .filter((text) => text !== '')
      .join(', '),
} as const;
