import type { DeckProblem } from '../../../domain/reports/deck.ts';
import { AppError } from '../../../lib/errors.ts';
import type { ChartError } from '../../dashboards/chart-figures.ts';
import { toChartError } from '../../dashboards/chart-error.ts';

/** Texts for errors about missing columns, by the field of the error. */
const MISSING_TEXTS: [RegExp, string][] = [
  [/^filter/, 'The filter of this figure uses a column or value that is no longer in the survey'],
  [/^weight/, 'The weight of this figure is no longer in the survey'],
  [
    /^(nets|aggregation\.value|variable\.value)/,
    'This figure counts answers that its question no longer has',
  ],
  [/./, 'The question of this figure is no longer in the survey'],
];
const MISSING_PATTERN = /^no column|^no column or question|has no question|is not a value of|has no row/;

/** Converts an AppError to a text for readers of the report; rethrows other errors. */
export function toProblem(error: unknown): DeckProblem {
  if (!(error instanceof AppError)) throw error;
  return chartErrorToProblem(toChartError(error));
}

export function chartErrorToProblem({ error }: ChartError): DeckProblem {
  const { message, field } = error;
  const plain =
    field !== null && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
  const isDeleted =
    field === null || !MISSING_PATTERN.test(plain)
      ? undefined
      : MISSING_TEXTS.find(([place]) => place.test(field));
  return {
    problem: isDeleted === undefined ? `This figure cannot be shown: ${plain}` : `${isDeleted[1]} (${plain})`,
  };
}

/** Returns the result, or the problem instead of an AppError. */
export async function catchProblem<T>(make: () => T | Promise<T>): Promise<T | DeckProblem> {
  try {
    return await make();
  } catch (error) {
    return toProblem(error);
  }
}
