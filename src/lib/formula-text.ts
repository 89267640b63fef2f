/**
 * Matches a formula sign, possibly after characters that a spreadsheet trims or hides (white space, control and zero-width characters).
 * Full-width and small forms count, because some spreadsheets and input methods convert them. A leading tab, CR or LF is dangerous without
 * a sign (OWASP, CSV injection).
 */
const FORMULA_START =
  /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

/** Whether a spreadsheet may run this text as a formula. Also true for negative numbers in ASCII: the caller decides about those. */
export const isFormulaText = (text: string): boolean => FORMULA_START.test(text);

/** Whether the text needs the ' of `escapeFormula`. Apostrophes that it already has count, so that `unescapeFormula` is its inverse. */
const needsEscape = (text: string): boolean => isFormulaText(text.replace(/^'+/, ''));

/** Puts ' before a text that a spreadsheet may run as a formula. */
export const escapeFormula = (text: string): string => (needsEscape(text) ? `'${text}` : text);

/** Removes the ' that `escapeFormula` adds. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && needsEscape(text) ? text.slice(1) : text;
