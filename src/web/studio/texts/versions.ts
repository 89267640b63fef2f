import { counted } from './counts.ts';

export const versionsTexts = {
  title: (survey: string) => `Versions of ${survey}`,
  open: 'Versions',
  none: 'The survey has not been published yet. Each time you publish it, the version appears here.',
  list: 'Published versions',
  version: (version: number) => `Version ${version}`,
  current: 'Respondents see this one',
  publishedBy: (name: string) => `by ${name}`,
  questions: (count: number) => counted(count, 'question', 'questions'),
  compareWith: 'Compared with',
  draft: 'The draft',
  changes: (from: string, to: string) => `From ${from} to ${to}`,
  same: 'Nothing is different.',
  restore: 'Restore',
  restoreVersion: (version: number) => `Restore version ${version}`,
  restoreTitle: (version: number) => `Restore version ${version}?`,
  restoreAbout:
    'The draft becomes this version again. Respondents see it after you publish. Questions that were added since are retired, and their answers are kept.',
  restored: (version: number) => `The draft is version ${version} again`,
  restoredExcept: (count: number) =>
    `Restored, except for ${counted(count, 'change', 'changes')} that collected answers need`,
  unchanged: (version: number) => `The draft is already version ${version}`,
  showChanges: (version: number) => `Show changes since version ${version}`,
  hideChanges: (version: number) => `Hide changes since version ${version}`,
  show: 'Show changes',
  hide: 'Hide changes',
  close: 'Close',
} as const;
