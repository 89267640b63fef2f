/** JSON without an equivalent JavaScript value: `1e400`, 5,000 brackets, duplicate keys. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const MARK = '\u{f0000}raw';

/** Like JSON.stringify, but writes RawJson unchanged. */
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

/** Defines an own property with this key, even `__proto__`. */
export function withOwnKey(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
