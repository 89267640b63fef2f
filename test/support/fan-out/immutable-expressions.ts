import { isGroup, isOperator, isQuery, isWord, type SqlItem } from './parse-sql.ts';

/** Functions that statements may use where Citus demands immutable ones. Add a function if `provolatile` in pg_proc is 'i'. */
const IMMUTABLE_FUNCTIONS = splitWords(
  `abs array_length cardinality ceil coalesce floor greatest iso_timestamp jsonb_array_length jsonb_exists jsonb_typeof least left length
   lower md5 nullif octet_length replace round trim upper`,
);

/** Words that brackets follow without a call. */
const NOT_CALLED = splitWords(
  `all and any array as case conflict do else exists filter in is like not on or over row set some then update values when where`,
);

const CURRENT_TIMES = ['current_date', 'current_time', 'current_timestamp', 'localtime', 'localtimestamp'];
const TIMES = ['date', 'time', 'timestamp', 'timestamptz'];

/** Functions that return another value in each call. */
const VOLATILE_FUNCTIONS = splitWords(
  'clock_timestamp gen_random_bytes gen_random_uuid nextval pg_notify random setval timeofday',
);

function splitWords(text: string): string[] {
  return text.split(/\s+/);
}

/** Names the first part that is not known to be immutable: a call, the current time, or computing with times; null if there is none. */
export function findNonImmutable(items: readonly SqlItem[]): string | null {
  for (const [index, item] of items.entries()) {
    const next = items[index + 1];
    if (item.kind === 'word') {
      if (CURRENT_TIMES.includes(item.text)) return item.text;
      const isCall = isGroup(next) && !isOperator(items[index - 1], '::');
      if (isCall && !NOT_CALLED.includes(item.text) && !IMMUTABLE_FUNCTIONS.includes(item.text))
        return `${item.text}()`;
      const isTerm = isOperator(items[index - 1], '+') || isOperator(items[index - 1], '-');
      if (item.text === 'interval' && isTerm) return 'arithmetic with an interval';
    }
    // A literal or placeholder with one cast has its value before the statement runs.
    if (isOperator(item, '::') && isWord(next, ...TIMES) && items[index - 1]?.kind !== 'value')
      return `a cast to ${(next as { text: string }).text}`;
    // Citus looks into the values of a query only where it reads tables.
    if (item.kind !== 'group' || isQuery(item)) continue;
    const inner = findNonImmutable(item.items);
    if (inner !== null) return inner;
  }
  return null;
}

/** Like `findNonImmutable`, for the parts within CASE and COALESCE. */
export function findNonImmutableChoice(items: readonly SqlItem[]): string | null {
  let caseStart = -1;
  let depth = 0;
  for (const [index, item] of items.entries()) {
    if (isWord(item, 'case') && depth++ === 0) caseStart = index + 1;
    if (isWord(item, 'end') && --depth === 0) {
      const found = findNonImmutable(items.slice(caseStart, index));
      if (found !== null) return found;
    }
    if (item.kind !== 'group' || isQuery(item)) continue;
    const found = isWord(items[index - 1], 'coalesce')
      ? findNonImmutable(item.items)
      : findNonImmutableChoice(item.items);
    if (found !== null) return found;
  }
  return null;
}

/** The first function that returns another value in each call, at any depth; null if there is none. */
export function findVolatile(items: readonly SqlItem[]): string | null {
  for (const [index, item] of items.entries()) {
    if (isWord(item, ...VOLATILE_FUNCTIONS) && isGroup(items[index + 1]))
      return `${(item as { text: string }).text}()`;
    const inner = item.kind === 'group' ? findVolatile(item.items) : null;
    if (inner !== null) return inner;
  }
  return null;
}
