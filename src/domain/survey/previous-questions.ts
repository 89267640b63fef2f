import { answerVariables } from '../questions/answer-variables.ts';
import {
  type Page,
  PLAIN_PAGE,
  type PreviousQuestions,
  type Question,
  questionsOf,
  type SurveyDefinition,
} from './definition.ts';
import { withDataLabels } from './logic/data-labels.ts';
import { previousNamesIn } from './logic/referenced-values.ts';
import { readLoopedCode } from './loop-codes.ts';
import { expandDefinition } from './expand-definition.ts';
import { previousCode } from './previous-codes.ts';

/** Where the earlier answers of a survey come from. */
interface PreviousSource {
  /** null: earlier waves of the same survey. */
  surveyId: number | null;
  definition: SurveyDefinition;
}

/** Whether the answers to a question can be carried over: those that expressions can read. Files stay with the response to which they were uploaded. */
const canBeCarried = (question: Question): boolean => answerVariables(question).length > 0;

/** Returns the questions whose answers a later survey can use, as it knows them: plain texts, and nothing that only asking needs. */
export function carriedQuestions(source: SurveyDefinition): Question[] {
  return questionsOf(withDataLabels(expandDefinition(source)), 'all')
    .filter(canBeCarried)
    .map(asPrevious);
}

const asPrevious = (question: Question): Question =>
  ({
    ...question,
    // Differs from the ids of all other questions, because they are positive.
    id: -question.id,
    pageId: 0,
    code: previousCode(question.code),
    text: `${question.text} (earlier answer)`,
    required: false,
    retired: false,
    settings: {
      ...question.settings,
      hidden: true,
      logic: null,
      report_label: null,
      description: null,
      placeholder: null,
      shuffle: 'none',
      image_url: null,
      image_alt: null,
      media_url: null,
      media_alt: null,
      media_captions: null,
      variable: undefined,
    },
    // Only settings that every type has are changed.
  }) as Question;

/** Whether a survey refers to the question, by its code, by the code of its loop, or by one of its columns. */
function isNamed(question: Question, names: ReadonlySet<string>): boolean {
  const authored = readLoopedCode(question.code)?.authored;
  return [question.code, authored, ...answerVariables(question).map(({ name }) => name)].some(
    (name) => name !== undefined && names.has(name.toLowerCase()),
  );
}

/**
 * Returns the survey with the questions of `source` to whose answers it refers. Those to which only `published`, the version that is
 * published, refers stay as retired ones, so that the data have their columns.
 *
 * @param settings the settings of the survey, whose texts can refer to answers too
 */
export function withPreviousQuestions(
  definition: SurveyDefinition,
  {
    settings,
    source,
    published,
  }: { settings: unknown; source: PreviousSource; published: PreviousQuestions | null },
): SurveyDefinition {
  const names = new Set(
    [...previousNamesIn([definition.pages, definition.blocks, settings])].map((name) =>
      previousCode(name).toLowerCase(),
    ),
  );
  const used = carriedQuestions(source.definition).filter((question) => isNamed(question, names));
  const usedCodes = new Set(used.map(({ code }) => code));
  const kept = (published?.questions ?? []).filter(({ code }) => !usedCodes.has(code));
  const questions = [...used, ...kept.map((question) => ({ ...question, retired: true }))];
  const { surveyId } = source;
  return questions.length === 0 && names.size === 0
    ? definition
    : { ...definition, previous: { surveyId, questions } };
}

/** Whether a survey refers to earlier answers. */
export const usesPrevious = (definition: SurveyDefinition, settings: unknown): boolean =>
  previousNamesIn([definition.pages, definition.blocks, settings]).size > 0;

/** Returns the definition with the earlier answers as questions of a page that is not shown, for whatever works with the data of all questions. */
export function withPreviousPage(definition: SurveyDefinition): SurveyDefinition {
  const { previous } = definition;
  if (previous === null || previous.questions.length === 0) return definition;
  const page: Page = {
    ...PLAIN_PAGE,
    id: 0,
    title: null,
    description: null,
    logic: null,
    retired: true,
    questions: previous.questions,
  };
  return { ...definition, pages: [...definition.pages, page] };
}
