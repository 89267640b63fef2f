import type { ErrorDetail } from '../../../lib/errors.ts';
import { schemaProblems } from '../../../lib/schema-problems.ts';
import { schemaWording } from '../../../lib/schema-wording.ts';
import { isRecord } from '../../answers/read-result.ts';
import type { Comparison, Condition } from '../../survey/logic/condition.ts';
import { comparisonSchema } from '../../survey/logic/condition-schema.ts';

/** Beyond so many comparisons a filter is a mistake, or an attack: each looks at every response. */
const MAX_COMPARISONS = 200;
const MAX_DEPTH = 32;

/** Where a comparison stands in what the client sent, for messages. */
export interface ComparisonPlace {
  left: string;
  right: string;
}

type ParsedFilter =
  | { ok: true; condition: Condition; places: ReadonlyMap<Comparison, ComparisonPlace> }
  | { ok: false; problems: ErrorDetail[] };

/**
 * A filter as clients write it: a condition tree, or its short form `{"Q1": ["1", "2"], "gender": "1"}` (the values of one column
 * are alternatives, the columns must all hold), which may also stand inside a group. Nothing (undefined, null, {}) holds for
 * every response. Whether the columns exist is judged by compileFilter.
 */
export function parseFilter(input: unknown, field = 'filter'): ParsedFilter {
  const parser = new FilterParser();
  const condition =
    input === undefined || input === null
      ? { connector: 'and' as const, conditions: [] }
      : parser.read(input, field, 0);
  const { problems, places } = parser;
  if (places.size > MAX_COMPARISONS) {
    problems.push({ field, message: `has ${places.size} comparisons; at most ${MAX_COMPARISONS} are taken` });
  }
  return condition && problems.length === 0 ? { ok: true, condition, places } : { ok: false, problems };
}

class FilterParser {
  readonly problems: ErrorDetail[] = [];
  readonly places = new Map<Comparison, ComparisonPlace>();

  read(input: unknown, field: string, depth: number): Condition | null {
    if (depth > MAX_DEPTH) return this.#refuse(field, `is nested deeper than ${MAX_DEPTH} groups`);
    if (!isRecord(input)) {
      return this.#refuse(
        field,
        'must be an object: a condition, or values by column such as {"Q1": ["1", "2"]}',
      );
    }
    if (Object.hasOwn(input, 'conditions') || Object.hasOwn(input, 'connector'))
      return this.#group(input, field, depth);
    if (Object.hasOwn(input, 'operator') || isRecord(input.left)) return this.#comparison(input, field);
    return this.#shortForm(input, field);
  }

  #group(input: Record<string, unknown>, field: string, depth: number): Condition | null {
    const { connector = 'and', conditions, ...strangers } = input;
    for (const name of Object.keys(strangers)) {
      this.#refuse(`${field}.${name}`, 'unknown field; a group has connector and conditions');
    }
    if (connector !== 'and' && connector !== 'or') {
      return this.#refuse(`${field}.connector`, 'must be "and" or "or"');
    }
    if (!Array.isArray(conditions))
      return this.#refuse(`${field}.conditions`, 'must be a list of conditions');
    const parts = conditions.map((part, index) =>
      this.read(part, `${field}.conditions[${index}]`, depth + 1),
    );
    return { connector, conditions: parts.filter((part) => part !== null) };
  }

  #comparison(input: Record<string, unknown>, field: string): Condition | null {
    const result = comparisonSchema.safeParse(input, { error: schemaWording });
    if (result.success) {
      this.places.set(result.data, { left: `${field}.left.code`, right: `${field}.right` });
      return result.data;
    }
    this.problems.push(...schemaProblems(result.error, field));
    return null;
  }

  #shortForm(input: Record<string, unknown>, field: string): Condition | null {
    const conditions = Object.entries(input).flatMap(([code, values]) => {
      const right = Array.isArray(values) ? values : [values];
      const place = `${field}.${code}`;
      if (right.length === 0) return this.#refuse(place, 'needs at least one value') ?? [];
      const parsed = comparisonSchema.safeParse({ left: { type: 'column', code }, operator: 'in', right });
      if (!parsed.success) {
        return (
          this.#refuse(place, 'must be a value or a list of values: texts, numbers, true or false') ?? []
        );
      }
      this.places.set(parsed.data, { left: place, right: place });
      return parsed.data;
    });
    return { connector: 'and', conditions };
  }

  #refuse(field: string, message: string): null {
    this.problems.push({ field, message });
    return null;
  }
}
