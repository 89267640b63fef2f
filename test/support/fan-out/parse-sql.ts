/** A word, number, text, operator or placeholder; words are in lower case. */
interface SqlToken {
  kind: 'word' | 'value' | 'operator';
  text: string;
}

/** The content of parentheses. */
export interface SqlGroup {
  kind: 'group';
  open: string;
  items: SqlItem[];
}

export type SqlItem = SqlToken | SqlGroup;

const SKIPPED = /^(?:\s+|--[^\n]*|\/\*[\s\S]*?\*\/)/;
const TOKENS: readonly [SqlToken['kind'], RegExp][] = [
  ['value', /^(?:E?'(?:[^'\\]|''|\\.)*'|\$[a-z_]*\$[\s\S]*?\$[a-z_]*\$)/i],
  ['value', /^(?:\?(?![|&])|\$\d+)/],
  ['value', /^\d+(?:\.\d+)?(?:e[+-]?\d+)?/i],
  ['word', /^(?:"(?:[^"]|"")*"|[a-z_][a-z_0-9$]*)/i],
  ['operator', /^(?:::|\\\?[|&]?|[-+*/<>=~!@#%^&|?]+|[.,;:])/],
];
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/** A statement as words and brackets. Throws where it cannot be read: nothing is passed over. */
export function parseSql(sql: string): SqlItem[] {
  const root: SqlGroup = { kind: 'group', open: '', items: [] };
  const stack = [root];
  let rest = sql;
  for (;;) {
    const skipped = SKIPPED.exec(rest);
    if (skipped !== null) rest = rest.slice(skipped[0].length);
    if (skipped !== null && rest !== '') continue;
    if (rest === '') break;
    const current = stack.at(-1)!;
    const next = rest[0]!;
    if (next in CLOSING) {
      const group: SqlGroup = { kind: 'group', open: next, items: [] };
      current.items.push(group);
      stack.push(group);
      rest = rest.slice(1);
    } else if (next === ')' || next === ']') {
      if (CLOSING[current.open] !== next) throw new Error(`unmatched ${next} before: ${rest.slice(0, 60)}`);
      stack.pop();
      rest = rest.slice(1);
    } else {
      rest = takeToken(current.items, rest);
    }
  }
  if (stack.length > 1) throw new Error(`a bracket stays open: ${sql.slice(0, 60)}`);
  return root.items;
}

function takeToken(items: SqlItem[], rest: string): string {
  for (const [kind, pattern] of TOKENS) {
    const text = pattern.exec(rest)?.[0];
    if (text === undefined) continue;
    const unquoted = text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text.toLowerCase();
    items.push({ kind, text: kind === 'word' ? unquoted : text });
    return rest.slice(text.length);
  }
  throw new Error(`not understood: ${rest.slice(0, 60)}`);
}

export const isWord = (item: SqlItem | undefined, ...words: readonly string[]): boolean =>
  item?.kind === 'word' && words.includes(item.text);
export const isOperator = (item: SqlItem | undefined, text: string): boolean =>
  item?.kind === 'operator' && item.text === text;
export const isGroup = (item: SqlItem | undefined): item is SqlGroup =>
  item?.kind === 'group' && item.open === '(';

const QUERIES = ['select', 'with', 'values', 'insert', 'update', 'delete'];

/** Whether brackets hold a query. */
export const isQuery = (item: SqlItem | undefined): boolean =>
  isGroup(item) && (isWord(item.items[0], ...QUERIES) || isQuery(item.items[0]));

/** What brackets with a query hold; null: it is something else. */
export const queryIn = (item: SqlItem | undefined): SqlItem[] | null =>
  isGroup(item) && isQuery(item) ? item.items : null;

/** The nearest nested queries, at any depth of parentheses. */
export function queriesIn(items: readonly SqlItem[]): SqlItem[][] {
  return items.flatMap((item) => {
    if (item.kind !== 'group') return [];
    const query = queryIn(item);
    return query === null ? queriesIn(item.items) : [query];
  });
}
