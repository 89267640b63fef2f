/** A longer text is missing in a derived column, so that nested concat calls cannot exhaust the memory. */
export const MAX_TEXT_LENGTH = 32_767;

type TextFunction = (texts: (string | null)[]) => string | null;

function mapText(change: (text: string) => string): TextFunction {
  return ([text]) => (text === null || text === undefined ? null : change(text));
}

/** Missing if one of the texts is missing, except for coalesce. */
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
