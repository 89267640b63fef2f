import type { Schema } from '../data/api.ts';
import { type Condition, toEditorQuestion } from '../editor/editor-content.ts';
import { conditionInWords } from '../editor/logic/logic-words.ts';

type Question = Schema<'Question'>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Expands short forms such as `{"Q1": ["1", "2"]}`. A column that a question has is compared as its answer, which has labels. */
function toCondition(filter: unknown, questionCodes: ReadonlySet<string>): Condition {
  if (!isObject(filter)) throw new TypeError('a condition is an object');
  if (Array.isArray(filter.conditions)) {
    return {
      connector: filter.connector === 'or' ? 'or' : 'and',
      conditions: filter.conditions.map((each) => toCondition(each, questionCodes)),
    };
  }
  const typeOf = (code: unknown) => (questionCodes.has(String(code)) ? 'question' : 'column');
  if (isObject(filter.left)) {
    const { left } = filter;
    const type = left.type === 'column' ? typeOf(left.code) : left.type;
    return { ...filter, left: { ...left, type } } as Condition;
  }
  const conditions = Object.entries(filter).map(([code, value]) => ({
    left: { type: typeOf(code), code },
    operator: 'in',
    right: [value].flat(),
  }));
  return (conditions.length === 1 ? conditions[0] : { connector: 'and', conditions }) as Condition;
}

/** Describes the filter of a chart in words. An expression, and what the studio does not know, is returned as it was written. */
export function chartFilterInWords(filter: Schema<'ChartFilter'>, questions: readonly Question[]): string {
  const written = typeof filter === 'string' ? filter : JSON.stringify(filter);
  try {
    const codes = new Set(questions.map(({ question_code: code }) => code));
    const condition = toCondition(JSON.parse(written), codes);
    return conditionInWords(condition, questions.map(toEditorQuestion));
  } catch (error) {
    // An expression is not JSON.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    return written;
  }
}
