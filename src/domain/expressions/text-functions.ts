/** A longer text is no value in a derived column: nested concat must not fill the memory. */
export const MAX_TEXT_LENGTH = 32_767;

type TextFunction = (texts: (string | null)[]) => string | null;

function mapText(change: (text: string) => string): TextFunction {
  return ([text]) => (text === null || text === undefined ? null : change(text));
}

/** Missing where one of the texts is, coalesce apart. */
export const TEXT_FUNCTIONS: ReadonlyMap<string, TextFunction> = new Map([
  ['lower', mapText((text) => text.toLowerCase())],
  ['upper', mapText((text) => text.toUpperCase())],
  ['trim', mapText((text) => text.trim())],
  ['coalesce', (texts: (string | null)[]) => texts.find((text) => text !== null) ?? null],
  [
    'concat',
    (texts: (string | null)[]) => {
      if (texts.includes(null)) return null;
      const joined = texts.join('');
      return joined.length > MAX_TEXT_LENGTH ? null : joined;
    },
  ],
]);
