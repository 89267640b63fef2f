import { z } from 'zod';
import type { ColumnCatalog } from '../../dataset/column-catalog.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { NO_RESPONSES } from '../../statistics/base.ts';
import { countCells } from '../../statistics/crosstab/category-table.ts';
import { emptyAxis } from '../../statistics/crosstab/axis.ts';
import { isMeasure, createVariableAxis } from '../../statistics/crosstab/variable-axis.ts';
import { unprocessableField } from '../../../lib/errors.ts';
import type { CatalogColumn } from '../../dataset/column-catalog.ts';
import { checkSurvey, columnText, elementLabel, idNumber } from '../chart-config.ts';
import type { ChartTypeModule } from '../chart-type.ts';
import type { ChartSettings } from '../chart.ts';
import type { FilterChoices } from '../chart-data.ts';
import { type Dimension, resolveDimension, withQuestion } from '../figures/chart-plan.ts';

const filterElement = z
  .strictObject({
    question_id: idNumber.optional(),
    column_code: columnText.optional(),
    multiple: z.boolean().default(false).describe('Whether viewers can select several values'),
    label: elementLabel.optional(),
  })
  .refine(({ question_id, column_code }) => question_id !== undefined || column_code !== undefined, {
    error: 'needs question_id or column_code',
  });

const filter = z
  .strictObject({ survey_id: idNumber.optional(), filterElement })
  .superRefine(({ survey_id, filterElement: dimension }, context) =>
    checkSurvey({ survey_id, dimension }, context, 'filterElement'),
  );
/** A filter control for the charts of its survey. */
export type FilterConfig = z.infer<typeof filter>;

/** A filter control above the pages of a dashboard. */
export const filterType: ChartTypeModule<'filter', FilterConfig> = {
  type: 'filter',
  form: { name: 'Filter', schema: filter },
  schema: filter,
  columnField: 'filterElement',
  resolve: (config, catalog) => {
    const dimension = resolveFilterElement(config, catalog);
    return {
      columns: [dimension.entry],
      showsTexts: true,
      compute: (dataset, settings) => computeFilterChoices(dataset, { ...config, ...dimension }, settings),
      stored: () => ({ ...config, filterElement: withQuestion(config.filterElement, dimension.entry) }),
    };
  },
  view: 'filter',
  showsOneNumber: false,
  gridSize: { w: 6, h: 6 },
  slides: [],
  example: {
    config: { filterElement: { column_code: 'Q1', multiple: true, label: 'Gender' } },
  },
};

/** Returns why a column offers no options; null if it does. */
function reasonNotOffered(entry: CatalogColumn): string | null {
  const { type, source } = entry.spec;
  if (type === 'text' && source !== 'metadata') return 'contains texts written by respondents';
  if (type === 'date') return 'contains dates; group it into periods first (a computed column)';
  return isMeasure(entry) ? 'contains numbers; bin it first (transform/bin)' : null;
}

/**
 * Resolves the column of a filter element. Throws 400 or 422 for a column without options. Filtering by values that are not listed would
 * allow a viewer to guess the text of one respondent and see that respondent's other answers.
 */
export function resolveFilterElement({ filterElement }: FilterConfig, catalog: ColumnCatalog): Dimension {
  const { question_id, column_code } = filterElement;
  const field = 'filterElement';
  const dimension = resolveDimension(catalog, { question_id, column_code }, { field });
  const reason = reasonNotOffered(dimension.entry);
  if (reason === null) return dimension;
  throw unprocessableField(
    'no_categories',
    field,
    `${dimension.entry.spec.columnCode} ${reason} and cannot be a filter`,
  );
}

/**
 * Computes the options of a filter: the values of the column or, for columns without a value list (a wave, a language), the values in the
 * data. Under protection, lists only values with enough responses.
 */
function* computeFilterChoices(
  dataset: Dataset,
  { entry, field, filterElement }: Dimension & FilterConfig,
  { counting, protection }: ChartSettings,
): Generator<void, FilterChoices> {
  const { spec } = entry;
  const { mask } = counting;
  const axis = createVariableAxis(dataset, entry, false, { base: 'shown', nets: [], mask, field });
  const counts = yield* countCells(axis, emptyAxis(mask.length), counting);
  const least = protection !== null && spec.values.length === 0 ? protection.minBase : 0;
  return {
    chart_type: 'filter',
    dimension: {
      column_code: spec.columnCode,
      label: filterElement.label ?? spec.label,
      measure: spec.measure,
    },
    multiple: filterElement.multiple,
    options: axis.categories.flatMap(({ steps }, index) => {
      const { value, label } = steps[0] ?? { value: null, label: '' };
      const { count } = counts.rows[index] ?? NO_RESPONSES;
      return value === null || count < least ? [] : [{ value, label }];
    }),
  };
}
