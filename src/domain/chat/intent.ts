import type { Variable } from './vocabulary.ts';

/** The intent of a chat question. */
export type Intent =
  | { kind: 'help' }
  | { kind: 'counts' }
  | { kind: 'questions' }
  | {
      kind: 'distribution';
      variable: Variable;
      options: readonly string[];
      order: 'asked' | 'highest' | 'lowest';
    }
  | { kind: 'statistics'; variable: Variable; wanted: 'mean' | 'median' | 'spread' | 'nps' }
  | { kind: 'battery'; variable: Variable; order: 'asked' | 'highest' | 'lowest' }
  | { kind: 'crosstab'; row: Variable; column: Variable }
  | { kind: 'waves'; variable: Variable }
  | { kind: 'verbatims'; variables: readonly Variable[]; contains: string | null }
  /** Partly understood: the intent does not cover some words. */
  | { kind: 'unclear'; read: ClearIntent; unused: readonly string[]; others: readonly Variable[] }
  | { kind: 'unknown'; reason: 'nothing_found' | 'no_waves' | 'no_texts' };

/** An intent that can be answered. */
export type ClearIntent = Exclude<Intent, { kind: 'help' | 'unknown' | 'unclear' }>;

/** The variables of an intent. */
export function variablesOf(intent: ClearIntent): readonly Variable[] {
  switch (intent.kind) {
    case 'counts':
    case 'questions':
      return [];
    case 'crosstab':
      return [intent.row, intent.column];
    case 'verbatims':
      return intent.variables;
    default:
      return [intent.variable];
  }
}
