/** Languages whose lists are written as in another variety: English without a comma before "and". */
const VARIETIES: ReadonlyMap<string, string> = new Map([['en', 'en-GB']]);

/** Returns "A, B and C" in a language, a tag such as `en` or `pt-BR`. */
export const listInWords = (items: readonly string[], language: string): string =>
  new Intl.ListFormat(VARIETIES.get(language) ?? language, { type: 'conjunction' }).format(items);
