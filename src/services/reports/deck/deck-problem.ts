import type { DeckProblem } from '../../../domain/reports/deck.ts';
import { AppError, type ErrorDetail } from '../../../lib/errors.ts';

/** Texts for references to missing columns and values, by the field of the error. */
const MISSING_TEXTS: [RegExp, string][] = [
  [/^filter/, 'The filter of this figure uses a column or value that is no longer in the survey'],
  [/^weight/, 'The weight of this figure is no longer in the survey'],
  [
    /^(nets|aggregation\.value|variable\.value)/,
    'This figure counts answers that its question no longer has',
  ],
  [/./, 'The question of this figure is no longer in the survey'],
];

/** Converts an AppError to a text for readers of the report; rethrows other errors. */
export function toProblem(error: unknown): DeckProblem {
  if (!(error instanceof AppError)) throw error;
  const [first] = error.details;
  const prefix = first === undefined ? '' : `${first.field}: `;
  const reason = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
  const missing = first?.isUnknownReference === true ? missingText(first) : undefined;
  return {
    problem: missing === undefined ? `This figure cannot be shown: ${reason}` : `${missing} (${reason})`,
  };
}

function missingText({ field }: ErrorDetail): string | undefined {
  return MISSING_TEXTS.find(([pattern]) => pattern.test(field))?.[1];
}

/** Returns the result, or the problem instead of an AppError. */
export async function catchProblem<T>(make: () => T | Promise<T>): Promise<T | DeckProblem> {
  try {
    return await make();
  } catch (error) {
    return toProblem(error);
  }
}
