import { z } from 'zod';
import type { SurveyScope } from '../../../../domain/access/scopes.ts';
import type { CrosstabFigure } from '../../../../domain/chat/chat-figure.ts';
import type { InclusionCounts } from '../../../../domain/dataset/filter/select-rows.ts';
import { shortenText } from '../../../../domain/chat/reply-texts.ts';
import { WAVE_COLUMN } from '../../../../domain/dataset/columns/metadata-columns.ts';
import { typeOf } from '../../../../domain/questions/registry.ts';
import { type CrosstabTable, STATISTICS } from '../../../../domain/statistics/crosstab/table.ts';
import { unprocessable } from '../../../../lib/errors.ts';
import { chatFunction, type FigureSources } from './chat-function.ts';
import { type ResolvedColumn, resolveColumn, questionCode } from './resolve-column.ts';

const MAX_ROWS = 25;
const MAX_COLUMNS = 12;
const MAX_LABEL_CHARACTERS = 100;
const MIN_BASE = 30;

/** Computes a crosstab with the options of the API; errors are those of the API. */
async function computeTable(
  { crosstabs }: FigureSources,
  scope: SurveyScope,
  row: string,
  column: string,
): Promise<{ table: CrosstabTable; counted: InclusionCounts }> {
  const { tables, counted } = await crosstabs.compute(scope, {
    status: ['complete'],
    filter: undefined,
    rows: [[row]],
    columns: [[column]],
    nets: [],
    weightColumn: null,
    base: 'answering',
    statistics: new Set(STATISTICS.filter((statistic) => statistic !== 'tests')),
    minBase: MIN_BASE,
    correction: 'none',
  });
  return { table: tables[0]!, counted };
}

function toCrosstabFigure(table: CrosstabTable): CrosstabFigure {
  const { row, column, base, columns, rows, mean, chi_square: test, notes } = table;
  const label = (text: string) => shortenText(text, MAX_LABEL_CHARACTERS);
  return {
    row: label(row.label),
    column: label(column?.label ?? ''),
    base: base.unweighted,
    columns: columns.slice(0, MAX_COLUMNS).map((one) => {
      return { letter: one.letter, label: label(one.label), base: one.base.unweighted };
    }),
    rows: rows.slice(0, MAX_ROWS).map((one) => ({
      label: label(one.label),
      total_percent: one.total.column_percent ?? null,
      cells: one.cells.slice(0, MAX_COLUMNS).map(({ count, column_percent: percent, letters }) => {
        return { count, percent: percent ?? null, above: letters ?? [] };
      }),
    })),
    means:
      mean === null
        ? null
        : {
            total: mean.total.mean,
            cells: mean.cells.slice(0, MAX_COLUMNS).map(({ count, mean: value, sd, letters }) => {
              return { count, mean: value, sd, above: letters ?? [] };
            }),
          },
    chi_square: test ?? null,
    notes: [
      ...notes.map(({ message }) => message),
      ...(columns.length > MAX_COLUMNS
        ? [`Only ${MAX_COLUMNS} of ${columns.length} columns are given.`]
        : []),
      ...(rows.length > MAX_ROWS ? [`Only ${MAX_ROWS} of ${rows.length} rows are given.`] : []),
    ],
  };
}

/** Throws 422 that lists the parts if the question has several columns. */
function requireSingleColumn({ question, columnCode }: ResolvedColumn, parts: readonly string[]): string {
  if (!question || typeOf(question).figures.composite === null) return columnCode;
  throw unprocessable(
    'has_parts',
    `${columnCode} has parts; use the code of one: ${parts.slice(0, 20).join(', ')}`,
  );
}

async function resolveColumns({ datasets }: FigureSources, scope: SurveyScope, codes: readonly string[]) {
  const { catalog } = await datasets.open(scope.surveyId, () => []);
  const columns = codes.map((code) => {
    const resolved = resolveColumn(catalog, code);
    const of = catalog.question(code);
    const parts = of === undefined ? [] : of.sets.length > 0 ? of.sets : of.columns;
    return requireSingleColumn(
      resolved,
      parts.map(({ columnCode }) => columnCode),
    );
  });
  return { catalog, columns };
}

export const getCrosstab = chatFunction({
  name: 'get_crosstab',
  description:
    'One question by another over the complete responses: column percents, or means where the row is a number; letters in `above` name the ' +
    'columns that a value is significantly above (upper case 95 %, lower case 90 %); chi_square over the whole table. The column needs ' +
    'categories. Of questions with parts give the code of a part.',
  parameters: z.strictObject({
    row: questionCode.describe('What is looked at'),
    column: questionCode.describe('What it is broken down by'),
  }),
  async run(sources, scope, { row, column }) {
    const { columns } = await resolveColumns(sources, scope, [row, column]);
    const [rowCode, columnCode] = columns as [string, string];
    const { table, counted } = await computeTable(sources, scope, rowCode, columnCode);
    const result = toCrosstabFigure(table);
    return {
      function: 'get_crosstab',
      arguments: { row: rowCode, column: columnCode },
      base: result.base,
      counted,
      result,
    };
  },
});

export const compareWaves = chatFunction({
  name: 'compare_waves',
  description:
    'A question by the waves of the survey, in order of time, as get_crosstab gives it: percents or means, and which differences are significant.',
  parameters: z.strictObject({ question_code: questionCode }),
  async run(sources, scope, { question_code: code }) {
    const { catalog, columns } = await resolveColumns(sources, scope, [code]);
    if (catalog.waves.length < 2)
      throw unprocessable('no_waves', 'This survey has fewer than two waves to compare');
    const { table, counted } = await computeTable(sources, scope, columns[0]!, WAVE_COLUMN);
    const result = toCrosstabFigure(table);
    return {
      function: 'compare_waves',
      arguments: { question_code: columns[0]! },
      base: result.base,
      counted,
      result,
    };
  },
});
