import { joinWithAnd, shortenText } from './format-numbers.ts';

/** Replies of the built-in chat without figures: help, and what it did not understand. */

const CAPABILITIES =
  'how many responses there are, which questions there are, how people answered one, its mean or NPS, one broken down by another ' +
  'with a test of significance, how it changed over waves, and what people wrote';

const exampleList = (examples: readonly string[]) => examples.map((example) => `- ${example}`).join('\n');

export const helpText = (surveyName: string, examples: readonly string[]): string =>
  `This is the built-in chat. It works without a language model: it looks up figures of “${surveyName}” and says them in words, in English. It can tell ${CAPABILITIES}. For example:\n${exampleList(examples)}`;

const REASONS = {
  nothing_found:
    'I could not tell which question of this survey you mean, or what you want to know of it. This is the built-in chat: it works without a language model and goes by codes, words of questions and names of options.',
  no_waves: 'This survey has fewer than two waves to compare.',
  no_texts: 'This survey has no open question, so nobody wrote anything that could be read.',
} as const;

export const notUnderstoodText = (reason: keyof typeof REASONS, examples: readonly string[]): string =>
  `${REASONS[reason]} These would work here:\n${exampleList(examples)}`;

export const noFigureText = (message: string, examples: readonly string[]): string =>
  `That cannot be computed: ${message}. These would work here:\n${exampleList(examples)}`;

export const noSurveyText = (surveys: string): string =>
  `${surveys}\n\nThis conversation is about no survey yet. Ask again with the survey_id of the one you mean, and I can tell ${CAPABILITIES}.`;

/** `understood`: the question answered if the rest is ignored. */
export const unclearText = (
  unused: readonly string[],
  understood: string,
  others: readonly string[],
): string =>
  `I did not understand ${joinWithAnd(unused.map((words) => `“${shortenText(words, 60)}”`))}, so I give no figure that leaves it out. I understood: ${understood}\n` +
  'The built-in chat works without a language model. It goes by codes, words of questions and names of options, and does not filter responses. ' +
  `The nearest questions that work here:\n${exampleList([understood, ...others])}`;
