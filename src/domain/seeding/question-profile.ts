import { compilePattern } from '../survey/questions/safe-pattern.ts';
import type { Option, Question } from '../survey/definition.ts';
import { SeededRandom } from './seeded-random.ts';

/** How respondents in general tend to answer. */
export interface Tendency {
  /** Mean, in standard deviations of the attitude. */
  centre: number;
  /** Correlation of the answer with the attitude. */
  loading: number;
}

interface OptionProfile {
  /** Relative frequency as a single choice. */
  weight: number;
  /** Log odds of being ticked in a multiple choice. */
  logOdds: number;
  /** Increase in log odds per unit of attitude. */
  tilt: number;
}

export interface QuestionProfile {
  tendency: Tendency;
  /** Matrix only, by row code. */
  rows: ReadonlyMap<string, Tendency>;
  /** By option_code. */
  options: ReadonlyMap<number, OptionProfile>;
  /** Probability of skipping an optional question. */
  skipProbability: number;
  /** Generates a text that matches the question's pattern; null if unknown. */
  example: (random: () => number) => string | null;
}

/** Creates the same profile for the same seed and question code; adding an option does not change the others. */
export function createQuestionProfile(question: Question, seed: string): QuestionProfile {
  const createRandom = (...parts: (string | number)[]) =>
    new SeededRandom([seed, question.code, ...parts].join(' '));
  const rows = question.type === 'matrix' ? question.settings.rows : [];
  return {
    tendency: createTendency(createRandom(), question.type === 'nps' ? 0.8 : 0.15),
    rows: new Map(rows.map(({ row_code: code }) => [code, createTendency(createRandom('row', code), 0.15)])),
    options: new Map(
      question.options.map((option) => [
        option.code,
        createOptionProfile(createRandom('option', option.code), option),
      ]),
    ),
    skipProbability: skipProbability(question, createRandom('skipping')),
    example: createExample(question),
  };
}

function createTendency(chance: SeededRandom, mean: number): Tendency {
  return { centre: mean + 0.45 * chance.normal(), loading: 0.5 + 0.3 * chance.next() };
}

function createOptionProfile(chance: SeededRandom, option: Option): OptionProfile {
  const isRare = option.exclusive || option.other || option.missing;
  return {
    weight: Math.exp(0.7 * chance.normal()) * (isRare ? 0.2 : 1),
    logOdds: -0.6 + 0.9 * chance.normal() - (isRare ? 1.5 : 0),
    tilt: 0.35 * chance.normal(),
  };
}

function skipProbability(question: Question, chance: SeededRandom): number {
  if (question.type === 'text') return 0.2 + 0.3 * chance.next();
  return 0.04 * chance.next();
}

function createExample(question: Question): QuestionProfile['example'] {
  if (question.type !== 'text' || question.settings.format !== 'regex') return () => null;
  const compiled = compilePattern(question.settings.pattern ?? '');
  return compiled.ok ? (random) => compiled.pattern.example(random) : () => null;
}
