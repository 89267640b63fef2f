import { counted } from './counts.ts';
import { restorable } from './trash.ts';

export const reportsTexts = {
  title: 'Reports',
  create: 'New report',
  created: (name: string) => `${name} created`,
  name: 'Name',
  rename: 'Rename',
  renameTitle: 'Rename the report',
  renameHint: 'A slide with the title of the report keeps its text.',
  renamed: (name: string) => `${name} saved`,
  save: 'Save',
  source: 'Start with',
  sourceHint:
    'A dashboard of this workspace gives a slide for each of its charts. An empty report gets its slides from the results of a survey.',
  noSource: 'An empty report',
  dashboards: 'Dashboards',
  notFound: 'Report not found',
  notFoundAbout: 'It was deleted, or you do not have access to its workspace.',
  slideList: 'Slides',
  slide: (number: number) => `Slide ${number}`,
  part: (number: number, total: number) => `${number} of ${total}`,
  noSlides: 'The report has no slides yet',
  noSlidesAbout: 'Open the results of a survey and choose “Add to report” at a figure.',
  firstSlides: (count: number) =>
    `This page ends after ${counted(count, 'slide', 'slides')}. The files have all of them.`,
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
