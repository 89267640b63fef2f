/**
 * Matches a formula sign, possibly after characters that a spreadsheet trims or hides (white space, control and zero-width characters).
 * Full-width and small forms count, because some spreadsheets and input methods convert them. A leading tab, CR or LF is dangerous without
 * a sign (OWASP, CSV injection).
 */
const FORMULA_START =
  /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

/** Whether a spreadsheet may run this text as a formula. Also true for negative numbers in ASCII: the caller decides about those. */
export const isFormulaText = (text: string): boolean => FORMULA_START.test(text);
