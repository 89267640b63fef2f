/** The types of slides of a report. A chart type names those that it can stand on. */
export const SLIDE_TYPES = [
  'title',
  'section',
  'text',
  'chart',
  'table',
  'image',
  'key-figures',
  'appendix',
] as const;
export type SlideType = (typeof SLIDE_TYPES)[number];
