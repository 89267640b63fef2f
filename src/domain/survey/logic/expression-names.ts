import type { Comparison } from '../../questions/condition.ts';

/** A value besides answers: of the link, an attribute of the respondent, the arm of a block, or an earlier answer. */
export type ContextName = Pick<Comparison['left'], 'code'> & {
  type: 'hidden' | 'attribute' | 'arm' | 'previous';
};

const CONTEXT_NAME = /^(hidden|attribute|arm|previous)\.(.+)$/s;

/** Reads the name of a value besides answers, as expressions write it in backquotes: `hidden.source`; null: it names a column. */
export function readContextName(name: string): ContextName | null {
  const [, type, code] = CONTEXT_NAME.exec(name) ?? [];
  return type === undefined || code === undefined ? null : { type: type as ContextName['type'], code };
}

/** Returns the names of values besides answers in an expression, which may be invalid. */
export function contextNamesIn(expression: string): ContextName[] {
  return [...expression.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => readContextName(name) ?? []);
}
