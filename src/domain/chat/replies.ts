import { joinWithAnd, shortenText } from './describe-figure.ts';

/** Replies of the built-in chat without figures: help, and messages that it did not understand. */

const CAPABILITIES =
  'the number of responses, the list of questions, the answers to a question, its mean or NPS, a question broken down by another one ' +
  'with a significance test, changes between waves, and quotes from open answers';

const exampleList = (examples: readonly string[]) => examples.map((example) => `- ${example}`).join('\n');

export const helpText = (surveyName: string, examples: readonly string[]): string =>
  `This is the built-in chat. It works without a language model: it looks up figures of “${surveyName}” and describes them in English. It can show ${CAPABILITIES}. For example:\n${exampleList(examples)}`;

const REASONS = {
  nothing_found:
    'I did not understand which question you mean, or which figure you want. This is the built-in chat: it works without a language model and recognizes question codes, words in questions and option labels.',
  no_waves: 'This survey has fewer than two waves to compare.',
  no_texts: 'This survey has no open questions, so there are no texts to quote.',
} as const;

export const notUnderstoodText = (reason: keyof typeof REASONS, examples: readonly string[]): string =>
  `${REASONS[reason]} You can ask:\n${exampleList(examples)}`;

export const noFigureText = (message: string, examples: readonly string[]): string =>
  `This figure cannot be computed: ${message}. You can ask:\n${exampleList(examples)}`;

export const noSurveyText = (surveys: string): string =>
  `${surveys}\n\nThis conversation has no survey yet. Send your question again with the survey_id of a survey. I can then show ${CAPABILITIES}.`;

/** `understood`: the question that would be answered if the unused words were ignored. */
export const unclearText = (
  unused: readonly string[],
  understood: string,
  others: readonly string[],
): string =>
  `I did not understand ${joinWithAnd(unused.map((words) => `“${shortenText(words, 60)}”`))}, so I do not give a figure that ignores it. I understood: ${understood}\n` +
  'The built-in chat works without a language model. It recognizes question codes, words in questions and option labels, and does not filter responses. ' +
  `Similar questions that you can ask:\n${exampleList([understood, ...others])}`;
