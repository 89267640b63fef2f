import { z } from 'zod';
import type { SurveyScope } from '../../../../domain/access/scopes.ts';
import type { ColumnShares } from '../../../../domain/chat/chat-figure.ts';
import type { InclusionCounts } from '../../../../domain/dataset/filter/select-rows.ts';
import { shortenText } from '../../../../domain/chat/reply-texts.ts';
import type { Distribution } from '../../../../domain/statistics/distribution.ts';
import { unprocessable } from '../../../../lib/errors.ts';
import { chatFunction, type FigureSources } from './chat-function.ts';
import { type ResolvedColumn, resolveColumn, questionCode } from './resolve-column.ts';

const MAX_COLUMNS = 20;
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
    const distribution = await figures.distribution(scope, resolved.columnCode, request);
    return { column: resolved, distributions: [distribution], counted: distribution.counted };
  }
  const { distributions, counted } = await figures.questionDistributions(scope, resolved.question.id, {
    ...COMPLETE,
    base: 'answering',
  });
  return { column: resolved, distributions: distributions.slice(0, MAX_COLUMNS), counted };
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
