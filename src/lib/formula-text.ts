/**
 * Matches a formula sign, possibly after characters that a spreadsheet trims or hides (white space, control and zero-width characters).
 * Full-width and small forms count, because some spreadsheets and input methods convert them. A leading tab, CR or LF is dangerous without
 * a sign (OWASP, CSV injection).
 */
const FORMULA_START =
  /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

/** Whether a text begins with a letter or digit of ASCII. Most do, and no formula does: the expression is tested on the others only. */
function isPlainStart(text: string): boolean {
  const code = text.charCodeAt(0);
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** Whether a spreadsheet may run this text as a formula. Also true for negative numbers in ASCII: the caller decides about those. */
export const isFormulaText = (text: string): boolean => !isPlainStart(text) && FORMULA_START.test(text);

/** Whether the text needs the ' of `escapeFormula`. Apostrophes that it already has count, so that `unescapeFormula` is its inverse. */
const needsEscape = (text: string): boolean => !isPlainStart(text) && isFormulaText(text.replace(/^'+/, ''));

/** Puts ' before a text that a spreadsheet may run as a formula. */
export const escapeFormula = (text: string): string => (needsEscape(text) ? `'${text}` : text);

/** Removes the ' that `escapeFormula` adds. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && needsEscape(text) ? text.slice(1) : text;
