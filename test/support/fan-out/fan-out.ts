import {
  splitSetOperations,
  splitClauses,
  splitConjuncts,
  type Relation,
  parseRelations,
} from './clauses.ts';
import { isGroup, isOperator, isQuery, isWord, queryIn, type SqlItem, parseSql } from './parse-sql.ts';

/** By alias: whether its survey_id is given. */
type Scope = ReadonlyMap<string, boolean>;

interface QueryResult {
  /** Tables that are read or written for all surveys. */
  unbound: string[];
  /** Whether the result of the query is limited to given surveys. */
  isBound: boolean;
}

/**
 * The spread tables that a statement looks for in every partition, or on every server: those whose survey_id it neither compares with a
 * given value (or list), nor with that of something of which it is given. Throws where it cannot be read.
 */
export function findFanOut(sql: string, distributedTables: ReadonlySet<string>, key = 'survey_id'): string[] {
  return new FanOutAnalyzer(distributedTables, key).analyzeQuery(
    parseSql(sql).filter((item) => !isOperator(item, ';')),
    new Map(),
    new Map(),
  ).unbound;
}

class FanOutAnalyzer {
  private readonly distributedTables: ReadonlySet<string>;
  private readonly key: string;

  constructor(distributedTables: ReadonlySet<string>, key: string) {
    this.distributedTables = distributedTables;
    this.key = key;
  }

  analyzeQuery(items: readonly SqlItem[], outer: Scope, known: Scope): QueryResult {
    const unbound: string[] = [];
    const named = new Map(known);
    let rest = items;
    if (isWord(items[0], 'with')) {
      let at = 1;
      do {
        if (isOperator(items[at], ',') || isWord(items[at], 'recursive')) at += 1;
        const name = items[at];
        while (!isQuery(items[at])) at += 1;
        const found = this.analyzeQuery(queryIn(items[at])!, outer, named);
        unbound.push(...found.unbound);
        if (name?.kind === 'word') named.set(name.text, found.isBound);
        at += 1;
      } while (isOperator(items[at], ','));
      rest = items.slice(at);
    }
    const all = splitSetOperations(rest).map((analyzeArm) => this.analyzeArm(analyzeArm, outer, named));
    return {
      unbound: [...unbound, ...all.flatMap((one) => one.unbound)],
      isBound: all.every((one) => one.isBound),
    };
  }

  private analyzeArm(items: readonly SqlItem[], outer: Scope, named: Scope): QueryResult {
    const [first] = items;
    if (items.length === 1 && isQuery(first)) return this.analyzeQuery(queryIn(first)!, outer, named);
    if (isWord(first, 'insert')) return this.analyzeInsert(items, outer, named);
    if (isWord(first, 'update')) {
      const parts = splitClauses(items.slice(1));
      const target = parts.get('')!.filter((item) => !isWord(item, 'only'));
      return this.analyzeLevel(
        items,
        [...parseRelations(target), ...parseRelations(parts.get('from') ?? [])],
        parts.get('where') ?? [],
        outer,
        named,
      );
    }
    if (isWord(first, 'delete')) {
      const parts = splitClauses(items.slice(2), ['using', 'where', 'returning']);
      const all = [...parseRelations(parts.get('')!), ...parseRelations(parts.get('using') ?? [])];
      return this.analyzeLevel(items, all, parts.get('where') ?? [], outer, named);
    }
    const parts = splitClauses(items, [
      'from',
      'where',
      'group',
      'having',
      'window',
      'order',
      'limit',
      'offset',
      'for',
    ]);
    return this.analyzeLevel(
      items,
      parseRelations(parts.get('from') ?? []),
      parts.get('where') ?? [],
      outer,
      named,
    );
  }

  /** New rows name their survey; their source is checked like any other query. */
  private analyzeInsert(items: readonly SqlItem[], outer: Scope, named: Scope): QueryResult {
    const table = items[2];
    const columns = items.find(isGroup);
    const knows = columns?.items.some((item) => isWord(item, this.key)) ?? false;
    const unbound =
      table?.kind === 'word' && this.distributedTables.has(table.text) && !knows ? [table.text] : [];
    const start = items.findIndex((item) => isWord(item, 'select', 'with', 'values'));
    const end = items.findIndex(
      (item, index) =>
        isWord(item, 'returning') || (isWord(item, 'on') && isWord(items[index + 1], 'conflict')),
    );
    const result = this.analyzeQuery(items.slice(start, end < 0 ? undefined : end), outer, named);
    return { unbound: [...unbound, ...result.unbound], isBound: unbound.length === 0 };
  }

  private analyzeLevel(
    items: readonly SqlItem[],
    all: readonly Relation[],
    where: readonly SqlItem[],
    outer: Scope,
    named: Scope,
  ): QueryResult {
    const bound = new Map<string, boolean>();
    for (const { alias, name } of all) bound.set(alias, name !== null && (named.get(name) ?? false));
    this.propagate(all, where, bound, outer);
    const unbound: string[] = [];
    for (const relation of all) {
      if (relation.query === null) continue;
      const found = this.analyzeQuery(relation.query, new Map([...outer, ...bound]), named);
      unbound.push(...found.unbound);
      if (found.isBound) bound.set(relation.alias, true);
    }
    this.propagate(all, where, bound, outer);
    const open = all.filter(({ alias }) => !bound.get(alias));
    for (const { name } of open)
      if (name !== null && !named.has(name) && this.distributedTables.has(name)) unbound.push(name);
    const inner = new Map([...outer, ...bound]);
    const derived = new Set(all.map(({ query }) => query));
    for (const query of queriesIn(items))
      if (!derived.has(query)) unbound.push(...this.analyzeQuery(query, inner, named).unbound);
    return { unbound, isBound: all.some(({ alias }) => bound.get(alias)) };
  }

  /** Follows equalities until nothing new is given. */
  private propagate(
    all: readonly Relation[],
    where: readonly SqlItem[],
    bound: Map<string, boolean>,
    outer: Scope,
  ): void {
    const merged: string[] = [];
    all.forEach(({ using, alias }, index) => {
      if (!using.includes(this.key)) return;
      if (merged.length === 0 && index > 0) merged.push(all[index - 1]!.alias);
      merged.push(alias);
    });
    const conditions = [
      { items: where, onlyFor: null as string | null },
      ...all.map(({ on, alias, isLeftJoined }) => ({ items: on, onlyFor: isLeftJoined ? alias : null })),
    ];
    const facts = conditions.flatMap(({ items, onlyFor }) =>
      splitConjuncts(items).flatMap((one) =>
        this.parseEquality(one, all, merged).map((sides) => ({ ...sides, onlyFor })),
      ),
    );
    for (let before = -1, now = 0; now !== before;) {
      before = now;
      for (const { left, right, onlyFor } of facts) {
        const given = (resolveSide: string | null) =>
          resolveSide === null || (bound.get(resolveSide) ?? outer.get(resolveSide) ?? false);
        const mark = (resolveSide: string | null, isGiven: boolean) => {
          if (
            resolveSide !== null &&
            isGiven &&
            bound.has(resolveSide) &&
            (onlyFor === null || onlyFor === resolveSide)
          )
            bound.set(resolveSide, true);
        };
        mark(left, given(right));
        mark(right, given(left));
      }
      if (merged.some((alias) => bound.get(alias))) for (const alias of merged) bound.set(alias, true);
      now = [...bound.values()].filter(Boolean).length;
    }
  }

  /** The aliases whose keys a condition makes equal; null: a given value. */
  private parseEquality(
    items: readonly SqlItem[],
    all: readonly Relation[],
    merged: readonly string[],
  ): { left: string | null; right: string | null }[] {
    const equals = items.findIndex((item) => isOperator(item, '=') || isWord(item, 'in'));
    if (equals < 0) return [];
    const sides = [items.slice(0, equals), items.slice(equals + 1)].map((resolveSide) =>
      this.resolveSide(resolveSide, all, merged),
    );
    const [lefts, rights] = sides;
    if (lefts === undefined || rights === undefined || lefts === null || rights === null) return [];
    return lefts.flatMap((left) => rights.map((right) => ({ left, right })));
  }

  /** The key of which relations it is; [null]: a given value; null: something else. */
  private resolveSide(
    resolveSide: readonly SqlItem[],
    all: readonly Relation[],
    merged: readonly string[],
  ): (string | null)[] | null {
    const [first, second, third] = resolveSide;
    if (
      resolveSide.length === 3 &&
      first?.kind === 'word' &&
      isOperator(second, '.') &&
      isWord(third, this.key)
    )
      return [first.text];
    if (resolveSide.length === 1 && isWord(first, this.key)) {
      if (merged.length > 0) return [...merged];
      const named = all.filter(({ name }) => name !== null);
      // A query or function beside the only table that had the column too would make its name ambiguous.
      const candidates = named.length > 0 ? named : all;
      if (candidates.length === 1) return [candidates[0]!.alias];
      const tables = named.filter(({ name }) => this.distributedTables.has(name!));
      return tables.length === 1 ? [tables[0]!.alias] : null;
    }
    if (isWord(first, 'any') && isGroup(second) && !isQuery(second))
      return isGiven(second.items) ? [null] : null;
    if (isGroup(first) && !isQuery(first)) return isGiven(first.items) ? [null] : null;
    return isGiven(resolveSide) ? [null] : null;
  }
}

/** A placeholder or literal, or a list of them, with their types. */
const isGiven = (items: readonly SqlItem[]): boolean =>
  items[0]?.kind === 'value' &&
  items.every(
    (item, index) =>
      item.kind === 'value' ||
      item.kind === 'operator' ||
      isOperator(items[index - 1], '::') ||
      (item.kind === 'group' && item.items.length === 0),
  );

/** The nearest nested queries, at any depth of parentheses. */
function queriesIn(items: readonly SqlItem[]): SqlItem[][] {
  return items.flatMap((item) => {
    if (item.kind !== 'group') return [];
    const query = queryIn(item);
    return query === null ? queriesIn(item.items) : [query];
  });
}
