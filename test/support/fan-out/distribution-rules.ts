import { findNonImmutable, findNonImmutableChoice, findVolatile } from './immutable-expressions.ts';
import { isWord, queriesIn } from './parse-sql.ts';
import { analyzeStatement, type Modification } from './table-uses.ts';

/** What a statement must not do, because Citus refuses it or asks every server. */
export type DistributionRule =
  | 'reads all surveys'
  | 'joins distributed and local tables'
  | 'has a function that is not immutable in CASE or COALESCE'
  | 'has a volatile function in UPDATE or DELETE'
  | 'has a function that is not immutable, or a query, in DO UPDATE'
  | 'writes in a common table expression'
  | 'has a dependent subquery over several surveys'
  | 'locks rows of several surveys'
  | 'writes rows of several surveys';

export interface RuleViolation {
  rule: DistributionRule;
  /** The tables or the expression. */
  detail: string;
}

/**
 * Returns the rules that a statement breaks where `distributedTables` are distributed by survey_id and all other tables are on one
 * server. A statement whose tables are all bound to one survey runs on one server and may lock, write and nest at will. Throws where the
 * statement cannot be read.
 */
export function findRuleViolations(sql: string, distributedTables: ReadonlySet<string>): RuleViolation[] {
  const analysis = analyzeStatement(sql, distributedTables);
  const { uses } = analysis;
  const distributed = uses.filter(({ isDistributed }) => isDistributed);
  if (distributed.length === 0) return [];
  const found: RuleViolation[] = [];
  const report = (rule: DistributionRule, details: readonly string[]) =>
    found.push({ rule, detail: [...new Set(details)].join(', ') });
  const tables = distributed.map(({ table }) => table);

  const unbound = distributed.filter(({ binding }) => binding === 'all');
  if (unbound.length > 0)
    report(
      'reads all surveys',
      unbound.map(({ table }) => table),
    );
  if (uses.length > distributed.length)
    report(
      'joins distributed and local tables',
      uses.map(({ table }) => table),
    );
  const writes = analysis.modifications.filter(({ isDistributed }) => isDistributed);
  for (const modification of writes) found.push(...findFunctionViolations(modification));
  if (analysis.hasModifyingCte && writes.length > 0)
    report(
      'writes in a common table expression',
      writes.map(({ table }) => table),
    );

  const several = distributed.filter(({ binding }) => binding === 'several');
  if (several.length + unbound.length === 0) return found;
  if (analysis.hasLateralQuery || analysis.hasCorrelatedSubquery)
    report('has a dependent subquery over several surveys', tables);
  if (analysis.locksDistributed) report('locks rows of several surveys', tables);
  if (writes.length > 0 && several.length > 0)
    report(
      'writes rows of several surveys',
      several.map(({ table }) => table),
    );
  return found;
}

function findFunctionViolations({ kind, items }: Modification): RuleViolation[] {
  if (kind === 'insert') {
    const start = items.findIndex((item) => isWord(item, 'conflict'));
    const end = items.findIndex((item) => isWord(item, 'returning'));
    const conflict = start < 0 ? [] : items.slice(start, end < 0 ? undefined : end);
    const detail = findNonImmutable(conflict) ?? (queriesIn(conflict).length > 0 ? 'a query' : null);
    if (detail === null) return [];
    return [{ rule: 'has a function that is not immutable, or a query, in DO UPDATE', detail }];
  }
  const found: RuleViolation[] = [];
  const choice = findNonImmutableChoice(items);
  if (choice !== null)
    found.push({ rule: 'has a function that is not immutable in CASE or COALESCE', detail: choice });
  const volatile = findVolatile(items);
  if (volatile !== null)
    found.push({ rule: 'has a volatile function in UPDATE or DELETE', detail: volatile });
  return found;
}
