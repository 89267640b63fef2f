/** Index of a cell style in `cellXfs`. */
export const STYLE = {
  plain: 0,
  header: 1,
  date: 2,
  month: 3,
  time: 4,
  datetime: 5,
  timestamp: 6,
  /** A text that starts like a formula: it stays a text when it is edited. */
  literal: 7,
} as const;

/** Custom number formats start at 164. */
const FORMATS = [
  [164, 'yyyy\\-mm\\-dd'],
  [165, 'yyyy\\-mm'],
  [166, 'hh:mm'],
  [167, 'yyyy\\-mm\\-dd\\ hh:mm'],
  [168, 'yyyy\\-mm\\-dd\\ hh:mm:ss'],
] as const;

const HEADER_COLOR = 'FFE2E8F0';
const LINE_COLOR = 'FF94A3B8';

const formatXf = (format: number) =>
  `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;

export const STYLES_XML = [
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
  `<numFmts count="${FORMATS.length}">`,
  ...FORMATS.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`),
  '</numFmts>',
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>',
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>',
  // The format reserves the first two fills.
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>',
  `<fill><patternFill patternType="solid"><fgColor rgb="${HEADER_COLOR}"/><bgColor indexed="64"/></patternFill></fill></fills>`,
  '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>',
  `<border><left/><right/><top/><bottom style="thin"><color rgb="${LINE_COLOR}"/></bottom><diagonal/></border></borders>`,
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  '<cellXfs count="8">',
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="0" fontId="1" fillId="2" borderId="1" xfId="0" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">',
  '<alignment vertical="top" wrapText="1"/></xf>',
  ...FORMATS.map(([id]) => formatXf(id)),
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/>',
  '</cellXfs>',
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  '</styleSheet>',
].join('');
