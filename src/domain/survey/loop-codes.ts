/** Returns the code under which authors know a question, and the code of the item: `Q5[A]` → Q5 and A; null: it is not in a loop. */
export function readLoopedCode(code: string): { authored: string; item: string } | null {
  const [, authored, item] = /^([^[\]]+)\[([^\]]+)\]$/.exec(code) ?? [];
  return authored === undefined || item === undefined ? null : { authored, item };
}

/** Option_values that can stand in the code of a column. */
const PLAIN_VALUE = /^[A-Za-z0-9_-]{1,20}$/;

interface LoopedOption {
  code: number;
  value: string;
  exclusive: boolean;
  missing: boolean;
}

/** The options for which a loop can be shown: no "none of these" and no "don't know". */
export const loopedOptions = <T extends LoopedOption>(options: readonly T[]): T[] =>
  options.filter(({ exclusive, missing }) => !exclusive && !missing);

/** Names options of a loop by their values, or by their codes if a value cannot stand in a column's code. */
export function optionCodes(
  options: readonly Pick<LoopedOption, 'code' | 'value'>[],
): (option: Pick<LoopedOption, 'code' | 'value'>) => string {
  const values = new Set(options.map(({ value }) => value.toLowerCase()));
  const byValue = values.size === options.length && options.every(({ value }) => PLAIN_VALUE.test(value));
  return ({ code, value }) => (byValue ? value : String(code));
}
