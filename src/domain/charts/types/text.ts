import { z } from 'zod';
import { invalid } from '../../../lib/errors.ts';
import type { ChartTypeModule } from '../chart-type.ts';

/** Allows a long section of text but keeps dashboard replies small. */
const MAX_TEXT_CHARACTERS = 20_000;

const schema = z.strictObject({ text: z.string().max(MAX_TEXT_CHARACTERS).describe('Markdown') });

/** A section of text. */
export const textType: ChartTypeModule<'text', z.infer<typeof schema>> = {
  type: 'text',
  form: { name: 'Text', schema },
  schema,
  columnField: null,
  resolve: () => {
    throw invalid('chart_type', 'a text has no figures');
  },
  view: 'text',
  showsOneNumber: false,
  gridSize: { w: 12, h: 2 },
  slides: ['text'],
  example: { config: { text: 'Source: **Coffee at work 2026**' } },
};
