import type { FunctionName } from './chat-figure.ts';
import type { Intent } from './intent.ts';

export interface PlannedCall {
  name: FunctionName;
  arguments: Record<string, string | number | null>;
}

const MAX_VERBATIMS = 6;

/** Returns the function calls that answer an intent. */
export function planCalls(intent: Intent): PlannedCall[] {
  switch (intent.kind) {
    case 'counts':
      return [{ name: 'get_response_counts', arguments: {} }];
    case 'questions':
      return [{ name: 'list_questions', arguments: {} }];
    case 'distribution':
      return [{ name: 'get_distribution', arguments: { question_code: intent.variable.code } }];
    case 'battery':
      return [{ name: 'get_distribution', arguments: { question_code: intent.variable.code } }];
    case 'statistics':
      return [{ name: 'get_statistics', arguments: { question_code: intent.variable.code } }];
    case 'crosstab':
      return [{ name: 'get_crosstab', arguments: { row: intent.row.code, column: intent.column.code } }];
    case 'waves':
      return [{ name: 'compare_waves', arguments: { question_code: intent.variable.code } }];
    case 'verbatims':
      return intent.variables.map(({ code }) => {
        const { contains } = intent;
        return {
          name: 'get_verbatims',
          arguments: { question_code: code, contains, limit: MAX_VERBATIMS },
        };
      });
    case 'help':
    case 'unclear':
    case 'unknown':
      return [];
  }
}
