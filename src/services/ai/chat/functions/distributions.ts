import { z } from 'zod';
import type { SurveyScope } from '../../../../domain/access/scopes.ts';
import type { ColumnShares } from '../../../../domain/chat/chat-figure.ts';
import type { CountedResponses } from '../../../../domain/dataset/filter/select-rows.ts';
import { shortened } from '../../../../domain/chat/figure-numbers.ts';
import type { Distribution } from '../../../../domain/statistics/distribution.ts';
import { unprocessable } from '../../../../lib/errors.ts';
import { chatFunction, type FigureSources } from './chat-function.ts';
import { type Meant, meantBy, questionCode } from './question-code.ts';

const COLUMNS_GIVEN = 20;
const CATEGORIES_GIVEN = 40;
const LABEL_CHARACTERS = 160;
const COMPLETE = { status: ['complete'], filter: undefined, weightColumn: null } as const;

/** Of a question with parts, one per part. */
async function distributionsOf(
  { datasets, figures }: FigureSources,
  scope: SurveyScope,
  code: string,
): Promise<{ meant: Meant; distributions: Distribution[]; counted: CountedResponses }> {
  const { catalog } = await datasets.open(scope.surveyId, () => []);
  const meant = meantBy(catalog, code);
  if (meant.question === null) {
    const request = { ...COMPLETE, base: 'answering' } as const;
    const one = await figures.distribution(scope, meant.columnCode, request);
    return { meant, distributions: [one], counted: one.counted };
  }
  const { distributions, counted } = await figures.question(scope, meant.question.id, {
    ...COMPLETE,
    base: 'answering',
  });
  return { meant, distributions: distributions.slice(0, COLUMNS_GIVEN), counted };
}

function sharesOf(one: Distribution, most: number): ColumnShares {
  // What people wrote is nobody's category.
  const isOpen = one.type === 'text' || one.type === 'file';
  const categories = isOpen ? [] : one.categories;
  return {
    column_code: one.column_code,
    label: shortened(one.label, LABEL_CHARACTERS),
    type: one.type,
    base: one.base,
    skipped: one.missing.skipped,
    not_shown: one.missing.not_shown,
    not_applicable: one.missing.not_applicable,
    mean: one.stats?.mean ?? null,
    categories: categories
      .filter(({ count }, index) => count > 0 || index < most)
      .slice(0, most)
      .map(({ value, label, count, percent }) => ({
        value: shortened(value, 80),
        label: shortened(label, LABEL_CHARACTERS),
        count,
        percent,
      })),
    distinct: one.distinct,
  };
}

export const getDistribution = chatFunction({
  name: 'get_distribution',
  description:
    'How the complete responses are spread over the answers of a question: counts and percents (0 to 100, of those who answered). Of a ' +
    'question with parts, such as a matrix, each part. Of an open question only how many answered.',
  parameters: z.strictObject({ question_code: questionCode }),
  async run(sources, scope, { question_code: code }) {
    const { meant, distributions, counted } = await distributionsOf(sources, scope, code);
    const most = Math.max(8, Math.floor(CATEGORIES_GIVEN / Math.max(1, distributions.length / 2)));
    const columns = distributions.map((one) => sharesOf(one, most));
    return {
      function: 'get_distribution',
      arguments: { question_code: meant.columnCode },
      base: Math.max(0, ...columns.map(({ base }) => base)),
      counted,
      result: {
        question_code: meant.columnCode,
        question_text: shortened(meant.label, LABEL_CHARACTERS),
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
    const { meant, distributions, counted } = await distributionsOf(sources, scope, code);
    const columns = distributions.flatMap((one) =>
      one.stats === null
        ? []
        : [
            {
              column_code: one.column_code,
              label: shortened(one.label, LABEL_CHARACTERS),
              base: one.base,
              statistics: one.stats,
            },
          ],
    );
    if (columns.length === 0) {
      throw unprocessable(
        'no_statistics',
        `${meant.columnCode} is not measured on an ordinal or scale level, so it has no mean; its distribution can be had`,
      );
    }
    return {
      function: 'get_statistics',
      arguments: { question_code: meant.columnCode },
      base: Math.max(...columns.map(({ base }) => base)),
      counted,
      result: {
        question_code: meant.columnCode,
        question_text: shortened(meant.label, LABEL_CHARACTERS),
        columns,
      },
    };
  },
});
