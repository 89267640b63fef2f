import { counted } from './counts.ts';

export const exportsTexts = {
  open: 'Export',
  title: 'Export responses',
  create: 'Create file',
  format: 'File type',
  formats: { csv: 'CSV', xlsx: 'Excel', spss: 'SPSS' },
  responses: 'Responses',
  countedHint: 'Results leave out test responses, and responses whose quality flag is confirmed.',
  counted: (count: number) => `${counted(count, 'response', 'responses')} as counted in the results`,
  listed: (count: number) => `All ${counted(count, 'response', 'responses')} of the list`,
  all: (count: number) => `The file has ${counted(count, 'response', 'responses')}, with all columns.`,
  values: 'Answers',
  valueChoices: { label: 'As labels, such as “Very good”', code: 'As codes, such as 5', both: 'Both' },
  headers: 'Column headings',
  headerChoices: { code: 'Codes, such as Q1', label: 'Question texts', both: 'Both' },
  multiple: 'Questions with several answers',
  multipleChoices: {
    columns: 'A column for each option',
    set: 'One column with all chosen options',
    both: 'Both',
  },
  spssAbout: 'The file has codes with their labels, and the question texts as variable labels.',
} as const;
