import { z } from 'zod';
import { dataWords } from '../../../../providers/language/structured-words.ts';
import type { FoundFact, Wording } from '../analyst.ts';
import type { Prepared } from './asker.ts';
import { figuresAreOf } from './figures-in-words.ts';
import { resultsOf } from './numbered-texts.ts';
import { cut, written, writtenLine } from './written.ts';

const STATEMENT_CHARACTERS = 1_000;
const KIND_CHARACTERS = 60;
const HEADLINE_CHARACTERS = 160;
const EXPLANATION_CHARACTERS = 800;
const SUGGESTION_CHARACTERS = 400;
const OUT_FOR_ALL = 300;
const OUT_PER_FACT = 500;

const wordings = resultsOf({
  headline: z.string(),
  explanation: z.string(),
  suggestion: z.string().nullable(),
});

/** A fact as it is sent, under a number of our own. */
export type NumberedFact = Omit<FoundFact, 'id'> & { id: number };

export const numberedFact = ({ kind, statement, figures }: FoundFact, index: number): NumberedFact => ({
  id: index + 1,
  kind: cut(kind, KIND_CHARACTERS),
  statement: cut(statement, STATEMENT_CHARACTERS),
  figures: bytesOf(figures) > mostFigureBytes(statement) ? {} : figures,
});

/** Figures beyond these stay behind: the statement has those that count. */
const mostFigureBytes = (statement: string) => 2 * Buffer.byteLength(statement) + 400;
const bytesOf = (figures: object) => Buffer.byteLength(dataWords(figures));

/** A fact of this statement, as long as it can be. */
export const longestFact = (statement: string, index: number): NumberedFact => ({
  id: index + 1,
  kind: 'k'.repeat(KIND_CHARACTERS),
  statement: cut(statement, STATEMENT_CHARACTERS),
  figures: { f: 'f'.repeat(mostFigureBytes(statement)) },
});

export const wordingQuestion = (facts: readonly NumberedFact[]): Prepared<typeof wordings> => ({
  name: 'wording',
  instruction:
    'Statistics found these facts in a survey. Word each for people who decide: a headline, an explanation of one to three sentences, ' +
    'and what one could do about it, null where nothing follows. Use the figures of the fact as they stand in its statement, and no other ' +
    'figure, in digits or in words: do not round, add up, compare or convert. Claim no cause that the fact does not state. ' +
    'Answer about every fact exactly once, under its id.',
  schema: wordings,
  data: { facts },
  maxOutputTokens: OUT_FOR_ALL + OUT_PER_FACT * facts.length,
});

/** As we say it ourselves. */
const ownWords = ({ statement }: FoundFact): Wording => ({
  headline: statement,
  explanation: statement,
  suggestion: null,
});

/** Words of a model for a fact, where all their figures are the fact's; else ours. */
export function usableWording(fact: FoundFact, told: Wording | undefined): Wording {
  if (told === undefined) return ownWords(fact);
  const headline = writtenLine(told.headline, HEADLINE_CHARACTERS);
  const explanation = written(told.explanation, EXPLANATION_CHARACTERS);
  if (headline === '' || explanation === '' || !figuresAreOf(fact, `${headline}\n${explanation}`))
    return ownWords(fact);
  const suggestion = writtenLine(told.suggestion ?? '', SUGGESTION_CHARACTERS);
  return {
    headline,
    explanation,
    suggestion: suggestion === '' || !figuresAreOf(fact, suggestion) ? null : suggestion,
  };
}
