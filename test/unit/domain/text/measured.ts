import { CreditReservation } from '../../../../src/domain/credits/credits.ts';
import type { ScoredSentiment } from '../../../../src/domain/text/sentiment.ts';
import { LanguageResources } from '../../../../src/providers/language-resources.ts';
import { BuiltInTextAnalyzer } from '../../../../src/services/ai/analysis/built-in-text-analyzer.ts';
import type { LabeledAnswers } from './labeled-answer.ts';

export interface Measured {
  language: string;
  text: string;
  label: ScoredSentiment['sentiment'];
  result: ScoredSentiment;
}

const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;

const analyst = new BuiltInTextAnalyzer(new LanguageResources());

function listed(answers: LabeledAnswers): Omit<Measured, 'result'>[] {
  return Object.entries(answers).flatMap(([language, of]) =>
    SENTIMENTS.flatMap((label) => of[label].map((text) => ({ language, label, text }))),
  );
}

const sentimentsOf = (texts: readonly string[]): Promise<ScoredSentiment[]> =>
  analyst.detectSentiments({
    reservation: new CreditReservation(1),
    texts,
    signal: new AbortController().signal,
  });

/** Each language as the answers to a separate question, as in most surveys. */
export async function measuredByLanguage(answers: LabeledAnswers): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const language of Object.keys(answers)) {
    measured.push(...(await measuredTogether({ [language]: answers[language]! })));
  }
  return measured;
}

/** All languages as answers to one question. */
export async function measuredTogether(answers: LabeledAnswers): Promise<Measured[]> {
  const all = listed(answers);
  const results = await sentimentsOf(all.map(({ text }) => text));
  return all.map((answer, index) => ({ ...answer, result: results[index]! }));
}

/** Returns the share of correct results. */
export const accuracy = (measured: readonly Measured[]): number =>
  measured.filter(({ label, result }) => label === result.sentiment).length / measured.length;
