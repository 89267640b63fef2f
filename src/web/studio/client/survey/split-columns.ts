import { useMemo } from 'preact/hooks';
import { blocksTexts } from '../../texts/blocks.ts';
import type { Schema } from '../data/api.ts';
import { writeOutPages } from '../data/written-out-questions.ts';
import { questionLabel } from '../data/question-label.ts';
import { useQuery } from '../data/queries.ts';
import { studioTypeOf } from '../question-types/registry.ts';

type Survey = Pick<Schema<'SurveyWithPages'>, 'survey_id' | 'pages' | 'blocks' | 'published_version'>;

/** A column that figures can be split by. */
export interface SplitColumn {
  code: string;
  label: string;
}

export interface SplitColumns {
  questions: readonly SplitColumn[];
  /** Of the blocks of experiments. */
  arms: readonly SplitColumn[];
  /** Such as segments and recoded answers. */
  derived: readonly SplitColumn[];
}

const SPLIT_TYPES = new Set<Schema<'DerivedColumn'>['type']>(['categorical', 'binary', 'number']);

export const findSplitColumn = (
  { questions, arms, derived }: SplitColumns,
  code: string | null,
): SplitColumn | undefined => [...questions, ...arms, ...derived].find((column) => column.code === code);

/** The code of the column with the arms of a block. */
export const armColumnOf = ({ block_code: code }: Pick<Schema<'Block'>, 'block_code'>): string =>
  `${code}_arm`;

/** Returns what can split the figures of a survey: questions with options or numbers, arms, and derived columns. Empty until they are known. */
export function useSplitColumns(survey: Survey | undefined): SplitColumns {
  const { data: derived } = useQuery(
    '/api/responses/{surveyId}/derived-columns',
    survey === undefined || survey.published_version === null
      ? null
      : { path: { surveyId: survey.survey_id } },
  );
  return useMemo(
    () => ({
      questions: (survey === undefined ? [] : writeOutPages(survey))
        .flatMap((page) => page.questions)
        .filter((question) => !question.retired && studioTypeOf(question).results.canSplit)
        .map((question) => ({ code: question.question_code, label: questionLabel(question) })),
      arms: (survey?.blocks ?? [])
        .filter(({ arms }) => arms.length > 0)
        .map((block) => ({
          code: armColumnOf(block),
          label: blocksTexts.armName(block.block_title ?? block.block_code),
        })),
      derived: (derived ?? [])
        .filter(
          ({ retired, problem, source, type }) =>
            !retired && problem === null && source === 'derived' && SPLIT_TYPES.has(type),
        )
        .map(({ column_code: code, label }) => ({ code, label })),
    }),
    [survey, derived],
  );
}
