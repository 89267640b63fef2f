import { counted, formatNumber } from './counts.ts';

export const translationsTexts = {
  title: 'Translations',
  language: 'Translate to',
  noLanguages: 'The survey has one language',
  noLanguagesAbout: 'Add further languages under “Survey settings”. Their texts are then translated here.',
  progress: (done: number, count: number, outdated: number) =>
    `${formatNumber(done)} of ${counted(count, 'text', 'texts')} translated` +
    (outdated === 0 ? '' : `, ${formatNumber(outdated)} outdated`),
  languageOption: (name: string, open: number) => (open === 0 ? name : `${name}: ${formatNumber(open)} open`),
  openOnly: (count: number) => `Only missing or outdated (${formatNumber(count)})`,
  outdated: 'Outdated',
  outdatedAbout: 'The text has changed',
  stillCorrect: 'Still correct',
  missing: 'Missing',
  translationOf: (source: string) => `Translation of ${source}`,
  question: (number: number) => `Question ${number}`,
  parts: {
    survey_name: 'Survey name',
    survey_description: 'Description',
    consent_text: 'Consent',
    completion_message: 'Message at the end',
    screened_out_message: 'Message after a screen-out',
    over_quota_message: 'Message when a quota is full',
    closed_message: 'Message when closed',
    page_title: 'Page title',
    page_description: 'Page introduction',
    question_text: 'Text',
    description: 'Description',
    placeholder: 'Placeholder',
    min_label: 'Lowest point',
    mid_label: 'Middle point',
    max_label: 'Highest point',
    prefix: 'Before the field',
    suffix: 'After the field',
    other_label: '“Other”',
    options: 'Option',
    rows: 'Row',
    point_labels: 'Point',
  },
  files: 'Files',
  downloadCsv: 'Download as CSV',
  downloadXliff: 'Download as XLIFF',
  upload: 'Upload translations',
  uploaded: (count: number, unknown: number) =>
    `${counted(count, 'translation', 'translations')} saved` +
    (unknown === 0 ? '' : `, ${counted(unknown, 'text is', 'texts are')} not in this survey`),
} as const;
