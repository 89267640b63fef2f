import { isGroup, isOperator, isQuery, isWord, queryIn, type SqlGroup, type SqlItem } from './parse-sql.ts';

/** Something after FROM. */
export interface Relation {
  /** Of a table or a common table expression, without its schema; null: a query or a function. */
  name: string | null;
  alias: string;
  query: SqlItem[] | null;
  isLateral: boolean;
  isLeftJoined: boolean;
  on: SqlItem[];
  using: string[];
}

const CLAUSES = [
  'from',
  'using',
  'where',
  'group',
  'having',
  'window',
  'order',
  'limit',
  'offset',
  'fetch',
  'for',
  'returning',
  'set',
];
const JOINING = ['join', 'left', 'inner', 'cross', 'right', 'full', 'natural', 'on', 'using'];

/** The arms of a query, which UNION and the like put together. */
export function splitSetOperations(items: readonly SqlItem[]): SqlItem[][] {
  const found: SqlItem[][] = [[]];
  items.forEach((item, index) => {
    if (isWord(item, 'union', 'intersect', 'except')) found.push([]);
    else if (!(isWord(item, 'all', 'distinct') && isWord(items[index - 1], 'union', 'intersect', 'except')))
      found.at(-1)!.push(item);
  });
  return found;
}

/** By keyword; the part before the first keyword has the key ''. */
export function splitClauses(
  items: readonly SqlItem[],
  known: readonly string[] = CLAUSES,
): Map<string, SqlItem[]> {
  const found = new Map<string, SqlItem[]>([['', []]]);
  let current = found.get('')!;
  items.forEach((item, index) => {
    const isClause =
      item.kind === 'word' &&
      known.includes(item.text) &&
      !isOperator(items[index - 1], '.') &&
      !(
        item.text === 'from' &&
        isWord(items[index - 1], 'distinct') &&
        isWord(items[index - 2], 'is', 'not')
      ) &&
      !(item.text === 'using' && found.has('from')) &&
      !(item.text === 'set' && found.has('from'));
    if (!isClause) return void current.push(item);
    current = [];
    found.set(item.text, current);
  });
  return found;
}

/** What follows FROM, flat. Throws at what ours do not use. */
export function parseRelations(items: readonly SqlItem[]): Relation[] {
  const found: Relation[] = [];
  let index = 0;
  let isLeftJoined = false;
  const take = () => items[index++];
  while (index < items.length) {
    const item = items[index]!;
    if (isWord(item, 'right', 'full', 'natural'))
      throw new Error('RIGHT, FULL and NATURAL JOIN are not understood');
    if (isWord(item, 'left')) isLeftJoined = true;
    if (isOperator(item, ',') || isWord(item, 'join', 'left', 'inner', 'cross', 'outer', 'lateral')) {
      if (isWord(item, 'inner', 'cross') || isOperator(item, ',')) isLeftJoined = false;
      index += 1;
      continue;
    }
    if (isWord(item, 'on')) {
      index += 1;
      const condition: SqlItem[] = [];
      while (index < items.length && !startsJoin(items, index)) condition.push(take()!);
      found.at(-1)!.on = condition;
      isLeftJoined = false;
      continue;
    }
    if (isWord(item, 'using') && isGroup(items[index + 1])) {
      found.at(-1)!.using = (items[index + 1] as SqlGroup).items.flatMap((one) =>
        one.kind === 'word' ? one.text : [],
      );
      index += 2;
      isLeftJoined = false;
      continue;
    }
    const isLateral = isWord(items[index - 1], 'lateral');
    const relation: Relation = {
      name: null,
      alias: '',
      query: null,
      isLateral,
      isLeftJoined,
      on: [],
      using: [],
    };
    let primary = take()!;
    while (isOperator(items[index], '.')) {
      index += 1;
      primary = take()!;
    }
    if (isQuery(primary)) relation.query = queryIn(primary);
    else if (primary.kind !== 'word') throw new Error('a join in brackets is not understood');
    else if (isGroup(items[index])) index += 1;
    else relation.name = relation.alias = primary.text;
    while (isWord(items[index], 'with', 'ordinality', 'as')) index += 1;
    const alias = items[index];
    if (alias?.kind === 'word' && !JOINING.includes(alias.text)) {
      relation.alias = alias.text;
      index += 1;
      if (isGroup(items[index])) index += 1;
    }
    found.push(relation);
  }
  return found;
}

const startsJoin = (items: readonly SqlItem[], index: number): boolean =>
  isOperator(items[index], ',') ||
  isWord(items[index], 'join', 'inner', 'cross', 'full', 'right', 'natural') ||
  (isWord(items[index], 'left') && isWord(items[index + 1], 'join', 'outer'));

/** What must all hold; none where any of several may. */
export function splitConjuncts(items: readonly SqlItem[]): SqlItem[][] {
  const found: SqlItem[][] = [[]];
  let cases = 0;
  for (const item of items) {
    if (isWord(item, 'case')) cases += 1;
    if (isWord(item, 'end')) cases -= 1;
    if (cases === 0 && isWord(item, 'or')) return [];
    if (cases === 0 && isWord(item, 'and')) found.push([]);
    else found.at(-1)!.push(item);
  }
  return found.flatMap((one) => {
    const [only] = one;
    return one.length === 1 && isGroup(only) && !isQuery(only) ? splitConjuncts(only.items) : [one];
  });
}

/** The parts between commas. */
export function splitList(items: readonly SqlItem[]): SqlItem[][] {
  const found: SqlItem[][] = [[]];
  for (const item of items) {
    if (isOperator(item, ',')) found.push([]);
    else found.at(-1)!.push(item);
  }
  return found;
}
