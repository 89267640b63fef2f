import { expect, it } from 'vitest';
import { routes } from '../../src/routes/index.ts';

/** What a summary may begin with. A new verb belongs here only if none of these says the same. */
const VERBS = [
  // Resources
  'List',
  'Get',
  'Count',
  'Create',
  'Add',
  'Update',
  'Replace',
  'Set',
  'Delete',
  'Remove',
  'Duplicate',
  'Reorder',
  'Restore',
  'Compare',
  'Undo',
  'Transfer',
  'Share',
  'Publish',
  'Preview',
  'Check',
  'Unlock',
  // Files and streams
  'Export',
  'Import',
  'Upload',
  'Download',
  'Stream',
  'Receive',
  // Users, sessions and jobs
  'Approve',
  'Reject',
  'Suspend',
  'Reactivate',
  'Revoke',
  'Confirm',
  'End',
  'Cancel',
  // Data collection
  'Submit',
  'Save',
  'Resume',
  'Complete',
  'Invite',
  'Resend',
  'Report',
  'Opt',
  // Analysis
  'Compute',
  'Recode',
  'Normalize',
  'Winsorize',
  'Clean',
  'Refresh',
  'Review',
  'Analyze',
  'Classify',
  'Find',
  'Suggest',
  'Summarize',
  'Translate',
  'Ask',
];

const summaries = routes.map(({ operationId, summary }) => ({ operationId, summary }));

it('begins every summary with a verb of the list', () => {
  const wrong = summaries.filter(({ summary }) => !VERBS.includes(summary.split(' ')[0]!));
  expect(wrong).toEqual([]);
});

it('lists no unused verb', () => {
  const used = new Set(summaries.map(({ summary }) => summary.split(' ')[0]));
  expect(VERBS.filter((verb) => !used.has(verb))).toEqual([]);
});

it('keeps every summary to 6 words without a period, and names an object', () => {
  const wrong = summaries.filter(({ summary }) => {
    const words = summary.split(' ');
    return words.length > 6 || words.length < 2 || summary.endsWith('.');
  });
  expect(wrong).toEqual([]);
});

it('gives no two operations the same summary', () => {
  const texts = summaries.map(({ summary }) => summary);
  expect(texts.filter((summary, index) => texts.indexOf(summary) !== index)).toEqual([]);
});
