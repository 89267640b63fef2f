/** JSON that no value of JavaScript stands for: `1e400`, 5,000 brackets, the same key twice. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const MARK = '\u{f0000}raw';

/** As JSON.stringify, with RawJson as it stands. */
export function jsonText(value: unknown): string {
  const raw: string[] = [];
  const text = JSON.stringify(value, (_key, each: unknown) => {
    if (!(each instanceof RawJson)) return each;
    raw.push(each.text);
    return `${MARK}${raw.length - 1}${MARK}`;
  });
  return raw.length === 0
    ? text
    : text.replace(new RegExp(`"${MARK}(\\d+)${MARK}"`, 'gu'), (_, index: string) => raw[Number(index)]!);
}

/** An object with this key of its own, `__proto__` too. */
export function withOwnKey(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
