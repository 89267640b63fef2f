import {
  parseRelations,
  type Relation,
  splitClauses,
  splitConjuncts,
  splitList,
  splitSetOperations,
} from './clauses.ts';
import {
  isGroup,
  isOperator,
  isQuery,
  isWord,
  parseSql,
  queriesIn,
  queryIn,
  type SqlItem,
} from './parse-sql.ts';

/** How many surveys the conditions on survey_id leave: one value, a list of values, or all. */
type Binding = 'one' | 'several' | 'all';

/** A distributed or local table that a statement reads or writes. */
interface TableUse {
  table: string;
  isDistributed: boolean;
  /** Of an INSERT: 'one' if its columns include survey_id. */
  binding: Binding;
  write: 'insert' | 'update' | 'delete' | null;
}

/** An INSERT, UPDATE or DELETE anywhere in a statement. */
export interface Modification {
  kind: 'insert' | 'update' | 'delete';
  table: string;
  isDistributed: boolean;
  items: readonly SqlItem[];
}

export interface StatementAnalysis {
  /** In the order of their names in the statement, inner queries after the tables that surround them. */
  uses: TableUse[];
  modifications: Modification[];
  /** Whether a common table expression writes. */
  hasModifyingCte: boolean;
  /** Whether FOR UPDATE or FOR SHARE locks rows of distributed tables. */
  locksDistributed: boolean;
  /** Whether a query after LATERAL reads distributed tables. */
  hasLateralQuery: boolean;
  /** Whether a subquery with distributed tables depends on a query whose FROM has a function, a query or a common table expression. */
  hasCorrelatedSubquery: boolean;
}

type Bindings = ReadonlyMap<string, Binding>;

const STRENGTH: Readonly<Record<Binding, number>> = { all: 0, several: 1, one: 2 };
const strongest = (bindings: readonly Binding[]): Binding =>
  bindings.reduce((best, next) => (STRENGTH[next] > STRENGTH[best] ? next : best), 'all');
const weakest = (bindings: readonly Binding[]): Binding =>
  bindings.reduce((worst, next) => (STRENGTH[next] < STRENGTH[worst] ? next : worst), 'one');

const SELECT_CLAUSES = ['from', 'where', 'group', 'having', 'window', 'order', 'limit', 'offset', 'for'];

/** Citus computes a query with one of these by itself before it looks for the servers of the query around it. */
const SEPARATING_CLAUSES = ['group', 'having', 'limit', 'offset', 'for'];

/** Reads which tables a statement uses and of which surveys. Throws where it cannot be read. */
export function analyzeStatement(
  sql: string,
  distributedTables: ReadonlySet<string>,
  key = 'survey_id',
): StatementAnalysis {
  const analyzer = new StatementAnalyzer(distributedTables, key);
  analyzer.analyzeQuery(
    parseSql(sql).filter((item) => !isOperator(item, ';')),
    new Map(),
    new Map(),
  );
  return analyzer.result;
}

class StatementAnalyzer {
  readonly result: StatementAnalysis = {
    uses: [],
    modifications: [],
    hasModifyingCte: false,
    locksDistributed: false,
    hasLateralQuery: false,
    hasCorrelatedSubquery: false,
  };

  private readonly distributedTables: ReadonlySet<string>;
  private readonly key: string;

  constructor(distributedTables: ReadonlySet<string>, key: string) {
    this.distributedTables = distributedTables;
    this.key = key;
  }

  /**
   * Returns the binding of the column survey_id of its result. `outer` has the tables of surrounding queries whose equality binds a table
   * here; `ctes` the common table expressions in scope.
   */
  analyzeQuery(items: readonly SqlItem[], outer: Bindings, ctes: Bindings): Binding {
    const inScope = new Map(ctes);
    let rest = items;
    if (isWord(items[0], 'with')) {
      let index = 1;
      do {
        if (isOperator(items[index], ',') || isWord(items[index], 'recursive')) index += 1;
        const name = items[index];
        const start = index;
        while (!isQuery(items[index])) index += 1;
        const query = queryIn(items[index])!;
        const isMaterialized = isWord(items[index - 1], 'materialized') && !isWord(items[index - 2], 'not');
        const isRecursive = items.slice(0, start).some((item) => isWord(item, 'recursive'));
        if (isRecursive && name?.kind === 'word') inScope.set(name.text, 'all');
        const modifications = this.result.modifications.length;
        const binding = this.analyzeQuery(query, new Map(), inScope);
        if (this.result.modifications.length > modifications) this.result.hasModifyingCte = true;
        if (name?.kind === 'word') inScope.set(name.text, isMaterialized ? 'all' : binding);
        index += 1;
      } while (isOperator(items[index], ','));
      rest = items.slice(index);
    }
    return weakest(splitSetOperations(rest).map((arm) => this.analyzeArm(arm, outer, inScope)));
  }

  private analyzeArm(items: readonly SqlItem[], outer: Bindings, ctes: Bindings): Binding {
    const [first] = items;
    if (items.length === 1 && isQuery(first)) return this.analyzeQuery(queryIn(first)!, outer, ctes);
    if (isWord(first, 'insert')) return this.analyzeInsert(items, ctes);
    if (isWord(first, 'update')) {
      const parts = splitClauses(items.slice(1));
      const target = parts.get('')!.filter((item) => !isWord(item, 'only'));
      const relations = [...parseRelations(target), ...parseRelations(parts.get('from') ?? [])];
      return this.analyzeLevel({ items, relations, parts, write: 'update' }, outer, ctes);
    }
    if (isWord(first, 'delete')) {
      const parts = splitClauses(items.slice(2), ['using', 'where', 'returning']);
      const relations = [...parseRelations(parts.get('')!), ...parseRelations(parts.get('using') ?? [])];
      return this.analyzeLevel({ items, relations, parts, write: 'delete' }, outer, ctes);
    }
    const parts = splitClauses(items, SELECT_CLAUSES);
    const relations = parseRelations(parts.get('from') ?? []);
    return this.analyzeLevel({ items, relations, parts, write: null }, outer, ctes);
  }

  /** New rows name their survey; their source is analyzed like any other query. */
  private analyzeInsert(items: readonly SqlItem[], ctes: Bindings): Binding {
    const table = items[2];
    if (table?.kind === 'word') {
      const isDistributed = this.distributedTables.has(table.text);
      const namesSurvey = items.find(isGroup)?.items.some((item) => isWord(item, this.key)) ?? false;
      const binding = namesSurvey ? 'one' : 'all';
      this.result.uses.push({ table: table.text, isDistributed, binding, write: 'insert' });
      this.result.modifications.push({ kind: 'insert', table: table.text, isDistributed, items });
    }
    const start = items.findIndex((item) => isWord(item, 'select', 'with', 'values'));
    const end = items.findIndex(
      (item, index) =>
        isWord(item, 'returning') || (isWord(item, 'on') && isWord(items[index + 1], 'conflict')),
    );
    const source = items.slice(start, end < 0 ? undefined : end);
    this.analyzeQuery(source, new Map(), ctes);
    if (end >= 0) this.analyzeSubqueries(items.slice(end), [], new Map(), ctes);
    return 'all';
  }

  private analyzeLevel(
    level: {
      items: readonly SqlItem[];
      relations: readonly Relation[];
      parts: ReadonlyMap<string, SqlItem[]>;
      write: 'update' | 'delete' | null;
    },
    outer: Bindings,
    ctes: Bindings,
  ): Binding {
    const { items, relations, parts, write } = level;
    const where = parts.get('where') ?? [];
    const bound = new Map<string, Binding>();
    for (const { alias, name } of relations)
      bound.set(alias, name === null ? 'all' : (ctes.get(name) ?? 'all'));
    for (const { query, alias, isLateral } of relations) {
      if (query === null) continue;
      const before = this.countDistributed();
      bound.set(alias, this.analyzeQuery(query, new Map(), ctes));
      if (isLateral && this.countDistributed() > before) this.result.hasLateralQuery = true;
    }
    this.propagate(relations, where, bound, outer);
    const [target] = relations;
    for (const relation of relations) {
      const { name, alias } = relation;
      if (name === null || ctes.has(name)) continue;
      const isDistributed = this.distributedTables.has(name);
      const written = relation === target ? write : null;
      this.result.uses.push({ table: name, isDistributed, binding: bound.get(alias)!, write: written });
      if (written !== null)
        this.result.modifications.push({ kind: written, table: name, isDistributed, items });
      if (isDistributed && parts.has('for')) this.result.locksDistributed = true;
    }
    this.analyzeSubqueries(items, relations, new Map([...outer, ...bound]), ctes, where);
    return this.resultBinding(parts, relations, bound);
  }

  /** Analyzes queries that are values or conditions. */
  private analyzeSubqueries(
    items: readonly SqlItem[],
    relations: readonly Relation[],
    bound: Bindings,
    ctes: Bindings,
    where: readonly SqlItem[] = [],
  ): void {
    // PostgreSQL joins these, so an equality with one survey binds their tables as well; other subqueries are planned alone.
    const joined = new Set(
      splitConjuncts(where).flatMap((condition) => {
        const [first, second] = isWord(condition[0], 'not') ? condition.slice(1) : condition;
        return isWord(first, 'exists') && isQuery(second) ? [queryIn(second)] : [];
      }),
    );
    const single = new Map([...bound].filter(([, binding]) => binding === 'one'));
    const derived = new Set(relations.map(({ query }) => query));
    const hasOnlyTables = relations.every(({ name }) => name !== null && !ctes.has(name));
    for (const query of queriesIn(items)) {
      if (derived.has(query)) continue;
      const before = this.countDistributed();
      this.analyzeQuery(query, joined.has(query) ? single : new Map(), ctes);
      if (!hasOnlyTables && this.countDistributed() > before && mentionsAny(query, relations))
        this.result.hasCorrelatedSubquery = true;
    }
  }

  private countDistributed(): number {
    return this.result.uses.filter(({ isDistributed }) => isDistributed).length;
  }

  /** The binding of the column survey_id of a query. */
  private resultBinding(
    parts: ReadonlyMap<string, SqlItem[]>,
    relations: readonly Relation[],
    bound: Bindings,
  ): Binding {
    const [keyword, next, ...others] = parts.get('')!;
    if (!isWord(keyword, 'select') || isWord(next, 'distinct')) return 'all';
    if (SEPARATING_CLAUSES.some((clause) => parts.has(clause))) return 'all';
    const merged = this.mergedByUsing(relations);
    for (const column of splitList([next!, ...others])) {
      const last = column.at(-1);
      if (isOperator(last, '*'))
        return column.length === 1
          ? strongest([...bound.values()])
          : (bound.get((column[0] as { text: string }).text) ?? 'all');
      if (!isWord(last, this.key)) continue;
      const isRenamed = column.length > 1 && !isOperator(column.at(-2), '.');
      const value = isRenamed ? column.slice(0, isWord(column.at(-2), 'as') ? -2 : -1) : column;
      const sides = this.resolveSide(value, relations, merged);
      return strongest(
        (sides ?? []).map((side) => (typeof side === 'string' ? (bound.get(side) ?? 'all') : side.given)),
      );
    }
    return 'all';
  }

  /** The relations whose keys USING merges into one column. */
  private mergedByUsing(relations: readonly Relation[]): string[] {
    const merged: string[] = [];
    relations.forEach(({ using, alias }, index) => {
      if (!using.includes(this.key)) return;
      // A function between the two tables has no such column.
      const left = relations
        .slice(0, index)
        .findLast(({ name }) => name !== null && this.distributedTables.has(name));
      if (merged.length === 0 && index > 0) merged.push((left ?? relations[index - 1]!).alias);
      merged.push(alias);
    });
    return merged;
  }

  /** Follows equalities until no binding becomes stronger. */
  private propagate(
    relations: readonly Relation[],
    where: readonly SqlItem[],
    bound: Map<string, Binding>,
    outer: Bindings,
  ): void {
    const merged = this.mergedByUsing(relations);
    const conditions = [
      { items: where, onlyFor: null as string | null },
      ...relations.map(({ on, alias, isLeftJoined }) => ({
        items: on,
        onlyFor: isLeftJoined ? alias : null,
      })),
    ];
    const facts = conditions.flatMap(({ items, onlyFor }) =>
      splitConjuncts(items).flatMap((condition) =>
        this.parseEquality(condition, relations, merged).map((sides) => ({ ...sides, onlyFor })),
      ),
    );
    // PostgreSQL derives from r.survey_id = f.survey_id that f has the value of r, but not that it has one of a list.
    const bindingOf = (side: Side): Binding => {
      if (typeof side !== 'string') return side.given;
      return (bound.get(side) ?? outer.get(side)) === 'one' ? 'one' : 'all';
    };
    let isChanged = true;
    const strengthen = (side: Side, binding: Binding) => {
      if (typeof side !== 'string' || !bound.has(side)) return;
      if (STRENGTH[binding] <= STRENGTH[bound.get(side)!]) return;
      bound.set(side, binding);
      isChanged = true;
    };
    while (isChanged) {
      isChanged = false;
      for (const { left, right, onlyFor } of facts) {
        if (onlyFor === null || onlyFor === left) strengthen(left, bindingOf(right));
        if (onlyFor === null || onlyFor === right) strengthen(right, bindingOf(left));
      }
      const best = strongest(merged.map(bindingOf));
      for (const alias of merged) strengthen(alias, best);
    }
  }

  /** The keys and values that a condition makes equal. */
  private parseEquality(
    items: readonly SqlItem[],
    relations: readonly Relation[],
    merged: readonly string[],
  ): { left: Side; right: Side }[] {
    const equals = items.findIndex((item) => isOperator(item, '=') || isWord(item, 'in'));
    if (equals < 0) return [];
    const lefts = this.resolveSide(items.slice(0, equals), relations, merged);
    const rights = this.resolveSide(items.slice(equals + 1), relations, merged);
    return (lefts ?? []).flatMap((left) => (rights ?? []).map((right) => ({ left, right })));
  }

  private resolveSide(
    items: readonly SqlItem[],
    relations: readonly Relation[],
    merged: readonly string[],
  ): Side[] | null {
    const [first, second, third] = items;
    if (items.length === 3 && first?.kind === 'word' && isOperator(second, '.') && isWord(third, this.key))
      return [first.text];
    if (items.length === 1 && isWord(first, this.key)) {
      if (merged.length > 0) return [...merged];
      // Each distributed table has the column: it belongs to the only one, or the name would be ambiguous.
      const tables = relations.filter(({ name }) => name !== null && this.distributedTables.has(name));
      const candidates = tables.length > 0 ? tables : relations;
      return candidates.length === 1 ? [candidates[0]!.alias] : null;
    }
    if (isWord(first, 'any') && isGroup(second) && !isQuery(second))
      return isGiven(second.items) ? [{ given: 'several' }] : null;
    if (isGroup(first) && !isQuery(first) && isGiven(first.items))
      return [{ given: splitList(first.items).length > 1 ? 'several' : 'one' }];
    return isGiven(items) ? [{ given: 'one' }] : null;
  }
}

/** The key of the relation with this alias, or a given value or list. */
type Side = string | { given: Binding };

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

/** Whether a query names a column of one of the relations, by alias. */
const mentionsAny = (items: readonly SqlItem[], relations: readonly Relation[]): boolean =>
  items.some((item, index) =>
    item.kind === 'group'
      ? mentionsAny(item.items, relations)
      : isOperator(items[index + 1], '.') && relations.some(({ alias }) => isWord(item, alias)),
  );
