/**
 * A formula sign, possibly after characters that a spreadsheet trims or does not show (white space, control, zero-width and other
 * invisible characters). Full-width and small forms count: some spreadsheets and input methods convert them.
 * A leading tab, CR or LF counts by itself (OWASP, CSV injection).
 */
const FORMULA_START =
  /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

/** Whether a spreadsheet may run this text as a formula. True for negative numbers in ASCII, too: the caller decides about those. */
export const isFormulaText = (text: string): boolean => FORMULA_START.test(text);
