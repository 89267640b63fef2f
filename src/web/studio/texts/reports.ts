import { counted } from './counts.ts';
import { restorable } from './trash.ts';

export const reportsTexts = {
  title: 'Reports',
  create: 'New report',
  created: (name: string) => `${name} created`,
  name: 'Name',
  source: 'Start with',
  noSource: 'An empty report',
  slides: (count: number) => counted(count, 'slide', 'slides'),
  edited: 'Edited',
  formats: { pptx: 'PowerPoint', pdf: 'PDF' },
  downloadLabel: (name: string, format: string) => `Create ${format} of ${name}`,
  actions: (name: string) => `Actions for ${name}`,
  duplicate: 'Duplicate',
  duplicated: (name: string) => `${name} created`,
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteAbout: (days: number) => `${restorable(days)} Surveys and dashboards stay.`,
  deleted: (name: string) => `${name} deleted`,
  emptyTitle: 'No reports yet',
  emptyAbout:
    'Open the results of a survey and choose “Add to report” at a figure, or start with a dashboard.',
  emptyViewer: 'This workspace has no reports yet.',
} as const;
