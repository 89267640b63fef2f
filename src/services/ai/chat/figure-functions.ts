import { z } from 'zod';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { ChatFigure, ColumnShares, CrosstabFigure } from '../../../domain/chat/chat-figure.ts';
import { shortenText } from '../../../domain/chat/reply-texts.ts';
import type { ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import { WAVE_COLUMN } from '../../../domain/responses/metadata-columns.ts';
import type { InclusionCounts } from '../../../domain/dataset/filter/select-rows.ts';
import { typeOf } from '../../../domain/questions/registry.ts';
import { type CrosstabTable, STATISTICS } from '../../../domain/statistics/crosstab/table.ts';
import type { Distribution } from '../../../domain/statistics/distribution.ts';
import type { Question } from '../../../domain/survey/definition.ts';
import { unprocessable } from '../../../lib/errors.ts';
import { requireItem } from '../../../lib/require-value.ts';
import { codeNotFound } from '../../datasets/requested-columns.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import type { CrosstabService } from '../../figures/crosstabs.ts';
import type { FigureService } from '../../figures/figures.ts';

export const questionCode = z
  .string()
  .min(1)
  .max(120)
  .describe('The code of a question of this survey, or of one of its parts');

/** The question or column that a code refers to. */
interface ResolvedColumn {
  /** null: a metadata or derived column, or a part of a question. */
  question: Question | null;
  columnCode: string;
  label: string;
}

/** Throws 404 that suggests similar codes if the survey has no such code. */
export function resolveColumn(catalog: ColumnCatalog, code: string): ResolvedColumn {
  const question = catalog.question(code)?.question;
  if (question !== undefined) return { question, columnCode: question.code, label: question.text };
  const entry = catalog.find(code);
  if (entry === undefined || isPersonalColumn(entry.spec.columnCode)) {
    const codes = catalog.columns
      .map(({ spec }) => spec.columnCode)
      .filter((known) => !isPersonalColumn(known));
    throw codeNotFound('question', code, codes);
  }
  return { question: null, columnCode: entry.spec.columnCode, label: entry.spec.label };
}

/** Columns that describe individual respondents rather than their answers. */
const PERSONAL_COLUMNS = new Set([
  'response_id',
  'submission_id',
  'respondent_id',
  'external_id',
  'link_id',
  'last_page_id',
  'started_at',
  'completed_at',
  'updated_at',
]);
const isPersonalColumn = (columnCode: string) => PERSONAL_COLUMNS.has(columnCode);

const MAX_DISTRIBUTIONS = 20;
const MAX_CATEGORIES = 40;
const MAX_LABEL_CHARACTERS = 160;
const COMPLETE = { status: ['complete'], filter: undefined, weightColumn: null } as const;

/** For a question with parts, one distribution per part. */
async function computeDistributions(
  { datasets, figures }: FigureSources,
  scope: SurveyScope,
  code: string,
): Promise<{ column: ResolvedColumn; distributions: Distribution[]; counted: InclusionCounts }> {
  const { catalog } = await datasets.open(scope.surveyId, () => []);
  const resolved = resolveColumn(catalog, code);
  if (resolved.question === null) {
    const request = { ...COMPLETE, base: 'answering' } as const;
    const distribution = await figures.computeDistribution({
      scope,
      columnCode: resolved.columnCode,
      request,
    });
    return { column: resolved, distributions: [distribution], counted: distribution.counted };
  }
  const { distributions, counted } = await figures.computeQuestionDistributions({
    scope,
    questionId: resolved.question.id,
    request: {
      ...COMPLETE,
      base: 'answering',
    },
  });
  return { column: resolved, distributions: distributions.slice(0, MAX_DISTRIBUTIONS), counted };
}

function toColumnShares(distribution: Distribution, limit: number): ColumnShares {
  // Texts of respondents are not categories.
  const isOpen = distribution.type === 'text' || distribution.type === 'file';
  const categories = isOpen ? [] : distribution.categories;
  return {
    column_code: distribution.column_code,
    label: shortenText(distribution.label, MAX_LABEL_CHARACTERS),
    type: distribution.type,
    base: distribution.base,
    skipped: distribution.missing.skipped,
    not_shown: distribution.missing.not_shown,
    no_answer: distribution.missing.no_answer,
    not_applicable: distribution.missing.not_applicable,
    mean: distribution.stats?.mean ?? null,
    categories: categories
      .filter(({ count }, index) => count > 0 || index < limit)
      .slice(0, limit)
      .map(({ value, label, count, percent }) => ({
        value: shortenText(value, 80),
        label: shortenText(label, MAX_LABEL_CHARACTERS),
        count,
        percent,
      })),
    distinct: distribution.distinct,
  };
}

export const getDistribution = chatFunction({
  name: 'get_distribution',
  description:
    'How the complete responses are spread over the answers of a question: counts and percents (0 to 100, of those who answered). Of a ' +
    'question with parts, such as a matrix, each part. Of an open question only how many answered.',
  parameters: z.strictObject({ question_code: questionCode }),
  async run(sources, scope, { question_code: code }) {
    const { column, distributions, counted } = await computeDistributions(sources, scope, code);
    const limit = Math.max(8, Math.floor(MAX_CATEGORIES / Math.max(1, distributions.length / 2)));
    const columns = distributions.map((distribution) => toColumnShares(distribution, limit));
    return {
      function: 'get_distribution',
      arguments: { question_code: column.columnCode },
      base: Math.max(0, ...columns.map(({ base }) => base)),
      counted,
      result: {
        question_code: column.columnCode,
        question_text: shortenText(column.label, MAX_LABEL_CHARACTERS),
        columns,
      },
    };
  },
});

export const getStatistics = chatFunction({
  name: 'get_statistics',
  description:
    'Mean, median, standard deviation (n-1), quartiles and extremes of a numeric question over the complete responses; of an NPS question ' +
    'the score too. Of a question with parts, each part.',
  parameters: z.strictObject({ question_code: questionCode }),
  async run(sources, scope, { question_code: code }) {
    const { column, distributions, counted } = await computeDistributions(sources, scope, code);
    const columns = distributions.flatMap((distribution) =>
      distribution.stats === null
        ? []
        : [
            {
              column_code: distribution.column_code,
              label: shortenText(distribution.label, MAX_LABEL_CHARACTERS),
              base: distribution.base,
              statistics: distribution.stats,
            },
          ],
    );
    if (columns.length === 0) {
      throw unprocessable(
        'no_statistics',
        `${column.columnCode} is not ordinal or scale, so it has no mean; get its distribution instead`,
      );
    }
    return {
      function: 'get_statistics',
      arguments: { question_code: column.columnCode },
      base: Math.max(...columns.map(({ base }) => base)),
      counted,
      result: {
        question_code: column.columnCode,
        question_text: shortenText(column.label, MAX_LABEL_CHARACTERS),
        columns,
      },
    };
  },
});

const MAX_ROWS = 25;
const MAX_TABLE_COLUMNS = 12;
const MAX_TABLE_LABEL_CHARACTERS = 100;
const MIN_BASE = 30;

/** Computes a crosstab with the options of the API; errors are those of the API. */
async function computeTable({
  figureSources: { crosstabs },
  scope,
  row,
  column,
}: {
  figureSources: FigureSources;
  scope: SurveyScope;
  row: string;
  column: string;
}): Promise<{ table: CrosstabTable; counted: InclusionCounts }> {
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
  return { table: requireItem(tables, 0, 'table'), counted };
}

function toCrosstabFigure(table: CrosstabTable): CrosstabFigure {
  const { row, column, base, columns, rows, mean, chi_square: test, notes } = table;
  const label = (text: string) => shortenText(text, MAX_TABLE_LABEL_CHARACTERS);
  return {
    row: label(row.label),
    column: label(column?.label ?? ''),
    base: base.unweighted,
    columns: columns.slice(0, MAX_TABLE_COLUMNS).map((one) => {
      return { letter: one.letter, label: label(one.label), base: one.base.unweighted };
    }),
    rows: rows.slice(0, MAX_ROWS).map((one) => ({
      label: label(one.label),
      total_percent: one.total.column_percent ?? null,
      cells: one.cells.slice(0, MAX_TABLE_COLUMNS).map(({ count, column_percent: percent, letters }) => {
        return { count, percent: percent ?? null, above: letters ?? [] };
      }),
    })),
    means:
      mean === null
        ? null
        : {
            total: mean.total.mean,
            cells: mean.cells.slice(0, MAX_TABLE_COLUMNS).map(({ count, mean: value, sd, letters }) => {
              return { count, mean: value, sd, above: letters ?? [] };
            }),
          },
    chi_square: test ?? null,
    notes: [
      ...notes.map(({ message }) => message),
      ...(columns.length > MAX_TABLE_COLUMNS
        ? [`Only ${MAX_TABLE_COLUMNS} of ${columns.length} columns are given.`]
        : []),
      ...(rows.length > MAX_ROWS ? [`Only ${MAX_ROWS} of ${rows.length} rows are given.`] : []),
    ],
  };
}

/** Returns the code of the only column of a question. Throws 422 with the codes of its parts if it has several. */
function resolveSingleColumn(catalog: ColumnCatalog, code: string): string {
  const { question, columnCode } = resolveColumn(catalog, code);
  if (!question || typeOf(question).figures.composite === null) return columnCode;
  const { sets, columns } = catalog.question(code) ?? { sets: [], columns: [] };
  const parts = (sets.length > 0 ? sets : columns)
    .filter(({ type }) => type !== 'text')
    .map((part) => part.columnCode);
  throw unprocessable(
    'has_parts',
    `${columnCode} has parts; use the code of one: ${parts.slice(0, 20).join(', ')}`,
  );
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
    const { catalog } = await sources.datasets.open(scope.surveyId, () => []);
    const rowCode = resolveSingleColumn(catalog, row);
    const columnCode = resolveSingleColumn(catalog, column);
    const { table, counted } = await computeTable({
      figureSources: sources,
      scope,
      row: rowCode,
      column: columnCode,
    });
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
    const { catalog } = await sources.datasets.open(scope.surveyId, () => []);
    const row = resolveSingleColumn(catalog, code);
    if (catalog.waves.length < 2)
      throw unprocessable('no_waves', 'This survey has fewer than two waves to compare');
    const { table, counted } = await computeTable({
      figureSources: sources,
      scope,
      row,
      column: WAVE_COLUMN,
    });
    const result = toCrosstabFigure(table);
    return {
      function: 'compare_waves',
      arguments: { question_code: row },
      base: result.base,
      counted,
      result,
    };
  },
});

/** The services that functions compute figures with, the same as in the API. */
export interface FigureSources {
  datasets: DatasetService;
  figures: FigureService;
  crosstabs: CrosstabService;
}

/** A function that a chat may call. The survey is never an argument: it comes from the caller's scope. */
export interface ChatFunction {
  name: ChatFigure['function'];
  description: string;
  /** An object schema; every member is required. */
  parameters: z.ZodObject;
  /** Runs with validated arguments. Throws AppError if the survey does not support them. */
  run(sources: FigureSources, scope: SurveyScope, given: Record<string, unknown>): Promise<ChatFigure>;
}

/** Infers the argument types from the schema. */
export function chatFunction<P extends z.ZodObject>(
  declared: Omit<ChatFunction, 'parameters' | 'run'> & {
    parameters: P;
    run(sources: FigureSources, scope: SurveyScope, given: z.output<P>): Promise<ChatFigure>;
  },
): ChatFunction {
  // Callers parse with the schema that the type is inferred from.
  return declared;
}
