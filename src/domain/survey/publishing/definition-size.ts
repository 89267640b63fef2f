import { questionsOf, respondentDefinition, type SurveyDefinition } from '../definition.ts';

/** Bytes, as JSON, of what every respondent loads. A respondent loads the survey as a whole, before the first page. */
export const MAX_RESPONDENT_DEFINITION_BYTES = 5_000_000;
const LISTED_QUESTIONS = 3;

const utf8 = new TextEncoder();
const byteLengthOf = (value: unknown): number => utf8.encode(JSON.stringify(value)).length;
const formatMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Reports a survey that is too large for respondents, with its largest questions. */
export function sizeProblems(
  definition: SurveyDefinition,
): { code: 'survey_too_large'; message: string; field: string }[] {
  const sent = respondentDefinition(definition);
  const bytes = byteLengthOf(sent);
  if (bytes <= MAX_RESPONDENT_DEFINITION_BYTES) return [];
  const largest = questionsOf(sent)
    .map((question) => ({ code: question.code, bytes: byteLengthOf(question) }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, LISTED_QUESTIONS)
    .map((question) => `${question.code} (${formatMegabytes(question.bytes)})`);
  const message =
    `The survey has ${formatMegabytes(bytes)} of texts, options, translations and logic, which every respondent loads; at most ` +
    `${formatMegabytes(MAX_RESPONDENT_DEFINITION_BYTES)} are allowed. Largest questions: ${largest.join(', ')}`;
  return [{ code: 'survey_too_large', message, field: '' }];
}
