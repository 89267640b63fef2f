import { z } from 'zod';
import { columnText, countedChoice, filterInput, idNumber } from '../charts/chart-config.ts';
import { CHART_TYPES, type ChartType, chartTypeOf } from '../charts/registry.ts';
import { BASES } from '../statistics/base.ts';
import type { SlideType } from '../charts/slide-type.ts';
import { jsonObject } from '../../lib/json-value.ts';

const MAX_TEXT_CHARACTERS = 20_000;
const MAX_LINE_CHARACTERS = 500;
const MAX_CHARTS = 2;
const MAX_KEY_FIGURES = 8;

const line = z.string().trim().max(MAX_LINE_CHARACTERS);
const markdown = z
  .string()
  .max(MAX_TEXT_CHARACTERS)
  .describe('Markdown: paragraphs, lists, bold, italic, links');
const notes = {
  notes: z
    .string()
    .max(MAX_TEXT_CHARACTERS)
    .optional()
    .describe('Speaker notes, placed before the generated notes'),
};

const element = z
  .strictObject({
    chart_id: idNumber.describe('A chart of a dashboard that you can view; the slide follows its changes'),
    title: line.optional(),
  })
  .meta({ id: 'SlideChartReference' });
/** The element types that a slide can show. */
const typesOn = (slide: SlideType): ChartType[] =>
  CHART_TYPES.filter((type) => chartTypeOf(type).slides.includes(slide));
const ownElement = (slide: SlideType, config: ConfigSchema) =>
  z.strictObject({ chart_type: z.enum(typesOn(slide)), chart_config: config, title: line.optional() });

/** A dashboard element on a slide: a link to it, or a configuration of its own. */
export type SlideElement = z.infer<typeof element> | z.infer<ReturnType<typeof ownElement>>;

const nestedCodes = z.array(columnText).min(1).max(3);
const nesting = z.union([columnText.transform((code) => [code]), nestedCodes]).pipe(nestedCodes);

const table = z.strictObject({
  survey_id: idNumber,
  rows: z
    .array(nesting)
    .min(1)
    .max(5)
    .describe('Row variables by column code; an inner list nests variables'),
  columns: z
    .array(nesting)
    .max(5)
    .default([])
    .describe('Column variables by column code; without any, only totals'),
  nets: z
    .array(
      z.strictObject({
        column_code: columnText,
        label: z.string().min(1).max(200),
        values: z.array(z.string()).min(1).max(1_000),
      }),
    )
    .max(30)
    .default([]),
  show: z.enum(['column_percent', 'row_percent', 'count']).default('column_percent'),
  letters: z
    .boolean()
    .default(true)
    .describe('Show letters for significant differences between columns, at 95 % and 90 %'),
  means: z
    .boolean()
    .optional()
    .describe('Show a row of means below categories with numeric codes. Default: true'),
  base: z.enum(BASES).optional(),
  weight_column: columnText.optional(),
  filter: filterInput.nullish(),
  ...countedChoice,
});
export type SlideTable = z.infer<typeof table>;

export const APPENDIX_PARTS = ['sample', 'field', 'weighting', 'questions'] as const;

type ConfigSchema = z.ZodType<Record<string, unknown>>;

/**
 * The schemas of `slide_content` by slide type, in the long form. `configs`: the schemas of `chart_config`. Here a configuration can be any
 * object, because chart-config.ts checks it by chart type once the survey is loaded.
 */
export function slideContentShapes(configs: { figures: ConfigSchema; numbers: ConfigSchema }) {
  return {
    title: z.strictObject({ subtitle: line.optional(), ...notes }),
    section: z.strictObject({ subtitle: line.optional(), ...notes }),
    text: z.strictObject({ text: markdown, ...notes }),
    chart: z.strictObject({
      charts: z
        .array(z.union([element, ownElement('chart', configs.figures)]))
        .min(1)
        .max(MAX_CHARTS),
      text: markdown.optional().describe('Markdown text beside or below the charts'),
      ...notes,
    }),
    table: table.extend(notes),
    image: z.strictObject({
      image_id: idNumber,
      alt: line.optional().describe('Alternative text for screen readers'),
      caption: line.optional(),
      ...notes,
    }),
    'key-figures': z.strictObject({
      figures: z
        .array(z.union([element, ownElement('key-figures', configs.numbers)]))
        .min(1)
        .max(MAX_KEY_FIGURES),
      text: markdown.optional(),
      ...notes,
    }),
    appendix: z.strictObject({
      survey_ids: z.array(idNumber).min(1).max(20).optional().describe('Default: all surveys of the report'),
      parts: z
        .array(z.enum(APPENDIX_PARTS))
        .min(1)
        .default([...APPENDIX_PARTS]),
      ...notes,
    }),
  } satisfies Record<SlideType, z.ZodType>;
}

const CONTENT = slideContentShapes({ figures: jsonObject, numbers: jsonObject });

export type SlideContent<Type extends SlideType = SlideType> = Type extends SlideType
  ? z.infer<(typeof CONTENT)[Type]>
  : never;

const ELEMENT_FIELDS = ['chart_id', 'chart_type', 'chart_config', 'title'];
const SLIDE_FIELDS = ['text', 'notes'];

/** Expands the short forms: a single chart without a list, and configuration fields without `chart_config`. */
function expandShortForm(type: SlideType, input: unknown): unknown {
  const list = type === 'chart' ? 'charts' : type === 'key-figures' ? 'figures' : null;
  if (list === null || typeof input !== 'object' || input === null || list in input) return input;
  const members = Object.entries(input);
  const pick = (is: (name: string) => boolean) => Object.fromEntries(members.filter(([name]) => is(name)));
  const element = pick((name) => ELEMENT_FIELDS.includes(name));
  if (Object.keys(element).length === 0) return input;
  const rest = (name: string) => !ELEMENT_FIELDS.includes(name) && !SLIDE_FIELDS.includes(name);
  if ('chart_config' in element || 'chart_id' in element || !members.some(([name]) => rest(name)))
    return { ...pick((name) => !ELEMENT_FIELDS.includes(name)), [list]: [element] };
  return {
    ...pick((name) => SLIDE_FIELDS.includes(name)),
    [list]: [{ ...element, chart_config: pick(rest) }],
  };
}

/** Returns the schema of `slide_content` for a slide type. It expands short forms. */
export function slideContentSchema<Type extends SlideType>(type: Type): z.ZodType<SlideContent<Type>>;
export function slideContentSchema(type: SlideType): z.ZodType {
  return z.preprocess((input) => expandShortForm(type, input), CONTENT[type]);
}
