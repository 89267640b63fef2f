import type { Cell } from '../dataset/columns/column-spec.ts';
import type { Column } from '../dataset/columns/columns.ts';
import { NOT_APPLICABLE } from '../dataset/columns/missing.ts';
import type { RecodeRule } from './definition.ts';
import { ROWS_PER_YIELD } from './number-chunks.ts';

type Range = { min?: number | undefined; max?: number | undefined };

/** Finds the index of the first matching rule; -1: none. */
interface RuleFinder {
  /** Matches a category by option_value, a text ignoring case, a date as formatted. */
  ruleForText(text: string): number;
  ruleForNumber(value: number): number;
  missing: number;
}

/** Whether the rule matches a range of numbers. */
export function isRange(from: RecodeRule['from']): from is Range {
  return typeof from === 'object' && !Array.isArray(from);
}

function isWithin(value: number, { min = -Infinity, max = Infinity }: Range): boolean {
  return value >= min && value <= max;
}

/** Range bounds are inclusive. "else" matches every value except missing. */
function createRuleFinder(rules: readonly RecodeRule[], foldCase: boolean): RuleFinder {
  const folded = (text: string) => (foldCase ? text.toLowerCase() : text);
  const texts = new Map<string, number>();
  const numbers = new Map<number, number>();
  const ranges: { range: Range; rule: number }[] = [];
  let elseRule = -1;
  let missing = -1;
  rules.forEach(({ from }, rule) => {
    if (from === 'else') elseRule = elseRule < 0 ? rule : elseRule;
    else if (from === 'missing') missing = missing < 0 ? rule : missing;
    else if (isRange(from)) ranges.push({ range: from, rule });
    else
      for (const value of from) {
        const text = folded(String(value));
        const number = Number(value);
        if (!texts.has(text)) texts.set(text, rule);
        if (text.trim() !== '' && !numbers.has(number)) numbers.set(number, rule);
      }
  });
  const noMatch = rules.length;
  const firstRule = (listed: number | undefined, value: number) => {
    const inRange = ranges.find(({ range }) => isWithin(value, range))?.rule;
    const first = Math.min(listed ?? noMatch, inRange ?? noMatch, elseRule < 0 ? noMatch : elseRule);
    return first === noMatch ? -1 : first;
  };
  return {
    ruleForText: (text) => firstRule(texts.get(folded(text)), text.trim() === '' ? NaN : Number(text)),
    ruleForNumber: (value) => firstRule(numbers.get(value), value),
    missing,
  };
}

/** Returns the rule of each row, -1 if none; for rows without a value, the rule for missing. */
function createRuleReader(source: Column, rules: readonly RecodeRule[]): (row: number) => number {
  const finder = createRuleFinder(rules, source.kind === 'text');
  switch (source.kind) {
    case 'categorical': {
      const { indices } = source;
      const byOption = Int32Array.from(source.spec.values, ({ value }) => finder.ruleForText(value));
      return (row) => (indices[row]! < 0 ? finder.missing : byOption[indices[row]!]!);
    }
    case 'binary': {
      const byFlag = [finder.ruleForNumber(0), finder.ruleForNumber(1)];
      return (row) => byFlag[source.valueAt(row)] ?? finder.missing;
    }
    case 'numeric': {
      const { values } = source;
      return (row) => (Number.isNaN(values[row]!) ? finder.missing : finder.ruleForNumber(values[row]!));
    }
    case 'date':
    case 'text':
      return (row) => {
        const cell = source.cell(row);
        return typeof cell === 'string' ? finder.ruleForText(cell) : finder.missing;
      };
    case 'multiple':
      throw new Error(`${source.spec.columnCode} holds several answers`);
  }
}

/** Returns a writer for the result of a rule. */
function createRuleWriter(target: Column, outcomes: readonly Cell[]): (row: number, rule: number) => void {
  if (target.kind === 'categorical') {
    const { indices, spec } = target;
    const valueIndexes = outcomes.map((cell) => spec.values.findIndex(({ value }) => value === String(cell)));
    return (row, rule) => {
      indices[row] = valueIndexes[rule]! < 0 ? -NOT_APPLICABLE : valueIndexes[rule]!;
    };
  }
  return (row, rule) => putCell(target, row, outcomes[rule] ?? null);
}

function putCell(target: Column, row: number, cell: Cell): void {
  const stored = target.kind === 'binary' ? target.source : target;
  if (cell === null) stored.setMissing(row, NOT_APPLICABLE);
  else if (target.kind !== 'binary') target.set(row, cell);
  else target.source.set(row, Number(cell) === 1 ? ['1'] : []);
}

/**
 * Recodes the rows selected by `wanted` (1). Unmatched values are not applicable, or kept (`keepUnmatched`); missing values keep their
 * reason unless a rule matches them.
 */
export function* recodeColumn(
  source: Column,
  wanted: Uint8Array,
  { rules, keepUnmatched = false }: { rules: readonly RecodeRule[]; keepUnmatched?: boolean | undefined },
  target: Column,
): Generator<void> {
  const find = createRuleReader(source, rules);
  const put = createRuleWriter(
    target,
    rules.map(({ to }) => to),
  );
  const stored = target.kind === 'binary' ? target.source : target;
  for (let row = 0; row < wanted.length; row++) {
    if (row % ROWS_PER_YIELD === 0) yield;
    if (wanted[row] === 0) continue;
    const rule = find(row);
    if (rule >= 0) put(row, rule);
    else {
      const reason = source.missing(row);
      if (reason === null && keepUnmatched) putCell(target, row, source.cell(row));
      else stored.setMissing(row, reason ?? NOT_APPLICABLE);
    }
  }
}
