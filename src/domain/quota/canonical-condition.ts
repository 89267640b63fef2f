import { type Comparison, type Condition, isGroup } from '../survey/logic/condition.ts';

/**
 * Returns a canonical text: conditions with equal texts hold for the same responses. Order, redundant nesting, and 2 versus "2" do not
 * matter.
 */
export function canonicalCondition(condition: Condition): string {
  return JSON.stringify(canonical(condition));
}

function canonical(condition: Condition): unknown {
  if (!isGroup(condition)) return comparison(condition);
  const { connector, conditions } = condition;
  // An empty group is true for every response.
  if (conditions.length === 0) return [];
  const parts = new Map(flatten(condition, connector).map((part) => [canonicalCondition(part), part]));
  if (parts.size === 1) return canonical([...parts.values()][0]!);
  return [connector, ...[...parts.keys()].sort()];
}

function flatten(condition: Condition, connector: 'and' | 'or'): Condition[] {
  if (!isGroup(condition)) return [condition];
  const { conditions } = condition;
  const joins = condition.connector === connector || conditions.length === 1;
  return joins && conditions.length > 0
    ? conditions.flatMap((part) => flatten(part, connector))
    : [condition];
}

function comparison({ left, operator, right }: Comparison): unknown {
  const values = right === undefined ? [] : [right].flat().map(String);
  if (operator !== 'between') values.sort();
  return { of: [left.type, left.code, left.row_code ?? null], operator, values };
}
