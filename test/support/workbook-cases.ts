import type { SourceCell } from '../../src/domain/import/source-file.ts';
import { createCellWorkbook } from './workbook-file.ts';

/** A cell of a workbook, with what it means. */
export interface WorkbookCase {
  /** A format code or the id of a built-in format; absent: General. */
  format?: string | number;
  /** The cell without its start tag and reference: attributes, then the content. */
  cell: string;
  value: SourceCell;
  /** What readxl 1.4.2 reads as text, seconds of moments as UTC; null: NA. Absent where it differs, with the reason in `why`. */
  readxl?: string | null;
  why?: string;
}

/** The cell of a case with the style of its format. */
export const cellXml = (reference: string, { format, cell }: WorkbookCase, index: number) =>
  `<c r="${reference}"${format === undefined ? '' : ` s="${index + 1}"`} ${cell}</c>`;

export const HEADER = '<c r="A1" t="inlineStr"><is><t>Q1</t></is></c>';
export const workbookOf = (cases: readonly WorkbookCase[], workbookPr = '') =>
  createCellWorkbook({
    rows: [HEADER, ...cases.map((one, i) => cellXml(`A${i + 2}`, one, i))],
    formats: cases.map(({ format }) => format ?? 0),
    strings: STRINGS,
    workbookPr,
  });

export const STRINGS = [
  '<si><t>plain</t></si>',
  '<si><t>a </t><r><rPr><b/></rPr><t xml:space="preserve">b </t></r><r><t>c</t></r></si>',
  '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>',
  '<si><t>R&amp;D &amp;amp; &lt;b&gt; &#228;&#xE4;</t></si>',
  '<si><t>a_x000D_\nb</t></si>',
  '<si><t>_x005F_x000D_</t></si>',
  '<si><t>a<![CDATA[<b> & ]]>c</t></si>',
  '<si><t xml:space="preserve">  two  </t></si>',
  '<si><t/></si>',
  '<si><t>12345678901234567</t></si>',
  '<si><t>007</t></si>',
];

export const number = (value: number | string) => `><v>${value}</v>`;

/** One by one, because readxl and Canvass decide about columns. */
export const CELLS: readonly WorkbookCase[] = [
  { cell: number(0.1), value: 0.1, readxl: '0.1' },
  { cell: number('0.10000000000000001'), value: 0.1, readxl: '0.1' },
  { cell: number('1.2E-11'), value: 1.2e-11, readxl: '1.2e-11' },
  { cell: number(' 5 '), value: 5, readxl: '5' },
  { cell: ' t="n"><v>-3</v>', value: -3, readxl: '-3' },
  { cell: ' t="b"><v>1</v>', value: 1, readxl: 'TRUE' },
  { cell: ' t="b"><v>0</v>', value: 0, readxl: 'FALSE' },
  { cell: ' t="e"><v>#N/A</v>', value: null, readxl: null },
  { cell: ' t="e"><f>1/0</f><v>#DIV/0!</v>', value: null, readxl: null },
  { cell: '><f>A2-A2</f><v>0</v>', value: 0, readxl: '0' },
  { cell: ' t="b"><f>1&gt;2</f><v>0</v>', value: 0, readxl: 'FALSE' },
  { cell: ' t="str"><f>"a"&amp;"b"</f><v>a&amp;amp;b</v>', value: 'a&amp;b', readxl: 'a&amp;b' },
  { cell: ' t="str"><f>""</f><v></v>', value: null, readxl: null },
  { cell: '><f t="shared" ref="A2:A9" si="0">B2</f><v>7</v>', value: 7, readxl: '7' },
  { cell: '><f t="shared" si="0"/><v>8</v>', value: 8, readxl: '8' },
  { cell: '><f t="array" ref="A2">SUM(B2:B3*2)</f><v>12</v>', value: 12, readxl: '12' },
  { cell: '><f>1+1</f>', value: null, readxl: null },
  { cell: '><f>1+1</f><v></v>', value: null, readxl: null },
  { cell: ' t="s"><v>0</v>', value: 'plain', readxl: 'plain' },
  {
    cell: ' t="s"><v>1</v>',
    value: 'a b c',
    why: 'readxl reads text beside runs only where there are no runs',
  },
  { cell: ' t="s"><v>2</v>', value: '東京', readxl: '東京' },
  { cell: ' t="s"><v>3</v>', value: 'R&D &amp; <b> ää', readxl: 'R&D &amp; <b> ää' },
  { cell: ' t="s"><v>4</v>', value: 'a\r\nb', readxl: 'a\r\nb' },
  { cell: ' t="s"><v>5</v>', value: '_x000D_', readxl: '_x000D_' },
  { cell: ' t="s"><v>6</v>', value: 'a<b> & c', why: 'readxl does not read CDATA' },
  { cell: ' t="s"><v>7</v>', value: '  two  ', readxl: '  two  ' },
  { cell: ' t="s"><v>8</v>', value: null, readxl: null },
  { cell: ' t="s"><v>9</v>', value: '12345678901234567', readxl: '12345678901234567' },
  { cell: ' t="s"><v>10</v>', value: '007', readxl: '007' },
  { cell: ' t="inlineStr"><is><t>a</t></is>', value: 'a', readxl: 'a' },
  { cell: ' t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is>', value: 'ab', readxl: 'ab' },
  { cell: ' t="inlineStr"><is><t>x</t><rPh sb="0" eb="1"><t>y</t></rPh></is>', value: 'x', readxl: 'x' },
  { cell: ' t="d"><v>2024-02-29</v>', value: '2024-02-29', why: 'readxl reads it as text' },
  { cell: ' t="d"><v>2024-02-29T08:30:00.5Z</v>', value: '2024-02-29T08:30:00.500', why: 'the same' },
  { cell: ' t="d"><v>08:30:00</v>', value: '08:30:00', why: 'the same' },
  { cell: ' t="d"><v>1899-12-31</v>', value: '1899-12-31', why: 'the same' },

  // Numbers with letters in their formats.
  { format: '0.0\\ \\k\\m', cell: number(12.5), value: 12.5, readxl: '12.5' },
  { format: '0 "d"', cell: number(3), value: 3, readxl: '3' },
  { format: '#,##0 "DM"', cell: number(1234.5), value: 1234.5, readxl: '1234.5' },
  { format: '[$-409]#,##0.00', cell: number(1.5), value: 1.5, readxl: '1.5' },
  { format: '#,##0.00\\ [$DM-407]', cell: number(2.5), value: 2.5, readxl: '2.5' },
  { format: '[Red]0', cell: number(4), value: 4, readxl: '4' },
  { format: '0.0;[Red]-0.0;"d"', cell: number(0), value: 0, readxl: '0' },
  { format: 'General"h"', cell: number(6), value: 6, readxl: '6' },
  { format: '0_d;(0_d)', cell: number(7), value: 7, readxl: '7' },
  { format: '0*y', cell: number(8), value: 8, why: 'readxl takes a repeated y for a year' },
  { format: '0.00E+00', cell: number(9), value: 9, readxl: '9' },
  { format: '# ?/?', cell: number(0.5), value: 0.5, readxl: '0.5' },
  { format: '0%', cell: number(0.25), value: 0.25, readxl: '0.25' },
  { format: '00000', cell: number(1234), value: 1234, readxl: '1234' },
  { format: '@', cell: number(1234), value: 1234, readxl: '1234' },
  { format: '[>=1000]0.0,"k";0', cell: number(5000), value: 5000, readxl: '5000' },
  { format: '[<1]0.00" m";0.0" m"', cell: number(0.5), value: 0.5, readxl: '0.5' },

  { format: '"yes";"yes";"no"', cell: number(1), value: 1, readxl: '1' },
  { format: ';;;', cell: number(3), value: 3, readxl: '3' },
  { format: '0\\ "h"\\ 00\\ "min"', cell: number(130), value: 130, readxl: '130' },
  { format: '#,##0.00\\ "Kč";[Blue]\\-#,##0.00\\ "Kčs"', cell: number(-5), value: -5, readxl: '-5' },
  {
    format: '_-* #,##0.00\\ "dm"_-;\\-* #,##0.00\\ "dm"_-;_-* "-"??\\ "dm"_-;_-@_-',
    cell: number(0),
    value: 0,
    readxl: '0',
  },

  // Dates and moments.
  { format: 14, cell: number(45_351), value: '2024-02-29', readxl: '2024-02-29' },
  { format: 27, cell: number(45_351), value: '2024-02-29', readxl: '2024-02-29' },
  { format: 57, cell: number(45_351), value: '2024-02-29', readxl: '2024-02-29' },
  { format: 'yyyy"年"m"月"d"日"', cell: number(45_351), value: '2024-02-29', readxl: '2024-02-29' },
  {
    format: '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy',
    cell: number(45_351),
    value: '2024-02-29',
    readxl: '2024-02-29',
  },
  { format: '[$-411]ggge"年"', cell: number(45_351), value: '2024-02-29', why: 'readxl does not know eras' },
  { format: 'mmm\\-yy', cell: number(45_352), value: '2024-03-01', readxl: '2024-03-01' },
  { format: 'mmm', cell: number(45_352), value: '2024-03-01', readxl: '2024-03-01' },
  { format: 'mmm', cell: number(3), value: '1900-01-03', readxl: '1900-01-03' },
  { format: 'mmmmm', cell: number(45_352), value: '2024-03-01', readxl: '2024-03-01' },
  { format: 'mm', cell: number(45_352), value: '2024-03-01', readxl: '2024-03-01' },
  { format: 'yyyy', cell: number(45_352), value: '2024-03-01', readxl: '2024-03-01' },
  { format: 'yyyy', cell: number(2024), value: '1905-07-16', readxl: '1905-07-16' },
  { format: 'mmmm yyyy', cell: number(45_352), value: '2024-03-01', readxl: '2024-03-01' },
  { format: '[$-407]MMMM\\ YYYY;@', cell: number(45_352), value: '2024-03-01', readxl: '2024-03-01' },
  { format: 'd', cell: number(45_351), value: '2024-02-29', readxl: '2024-02-29' },
  { format: 'dddd', cell: number(45_351), value: '2024-02-29', readxl: '2024-02-29' },
  { format: '"Month" 0', cell: number(3), value: 3, readxl: '3' },
  { format: '0" yyyy"', cell: number(3), value: 3, readxl: '3' },
  { format: 'dd.mm.yyyy;@', cell: number(45_351), value: '2024-02-29', readxl: '2024-02-29' },
  { format: '[=0]"";dd.mm.yyyy', cell: number(45_351), value: '2024-02-29', readxl: '2024-02-29' },
  { format: 14, cell: `><f>TODAY()</f><v>45351</v>`, value: '2024-02-29', readxl: '2024-02-29' },
  { format: 22, cell: number(45_351.5), value: '2024-02-29T12:00:00', readxl: '2024-02-29 12:00:00' },
  { format: 14, cell: number(45_351.5), value: '2024-02-29T12:00:00', readxl: '2024-02-29 12:00:00' },
  {
    format: 22,
    cell: number(45_351.354166666664),
    value: '2024-02-29T08:30:00',
    readxl: '2024-02-29 08:30:00',
  },
  {
    format: 22,
    cell: number(45_351.999_988_425_93),
    value: '2024-02-29T23:59:59',
    readxl: '2024-02-29 23:59:59',
  },
  {
    format: 22,
    cell: number(45_351.000_011_574_07),
    value: '2024-02-29T00:00:01',
    readxl: '2024-02-29 00:00:01',
  },
  {
    format: 22,
    cell: number(45_351.354_168_402_78),
    value: '2024-02-29T08:30:00.150',
    readxl: '2024-02-29 08:30:00.15',
  },
  { format: 14, cell: number(1), value: '1900-01-01', readxl: '1900-01-01' },
  { format: 14, cell: number(1.5), value: '1900-01-01T12:00:00', readxl: '1900-01-01 12:00:00' },
  { format: 14, cell: number(59), value: '1900-02-28', readxl: '1900-02-28' },
  { format: 14, cell: number(60), value: null, readxl: null },
  { format: 14, cell: number(61), value: '1900-03-01', readxl: '1900-03-01' },
  {
    format: 14,
    cell: number(0),
    value: null,
    why: 'a spreadsheet shows 0 January 1900; readxl reads 1899-12-31',
  },
  { format: 14, cell: number(-1), value: null, why: 'a spreadsheet shows #####; readxl reads 1899-12-30' },
  { format: 14, cell: number(2_958_465), value: '9999-12-31', readxl: '9999-12-31' },
  { format: 14, cell: number(2_958_466), value: null, why: 'readxl reads the year 10000' },

  // Times, of which readxl has none: it reads moments of 31 December 1899.
  { format: 20, cell: number(0.354166666666667), value: '08:30:00', readxl: '1899-12-31 08:30:00' },
  { format: 21, cell: number(0), value: '00:00:00', readxl: '1899-12-31' },
  { format: 18, cell: number(0.999_988_425_925_926), value: '23:59:59', readxl: '1899-12-31 23:59:59' },
  { format: 'h"h "mm', cell: number(0.75), value: '18:00:00', readxl: '1899-12-31 18:00:00' },
  { format: '[$-F400]h:mm:ss\\ AM/PM', cell: number(0.75), value: '18:00:00', readxl: '1899-12-31 18:00:00' },
  { format: '上午/下午h"时"mm"分"', cell: number(0.75), value: '18:00:00', readxl: '1899-12-31 18:00:00' },
  { format: 22, cell: number(0.75), value: '18:00:00', readxl: '1899-12-31 18:00:00' },
  { format: 20, cell: number(45_351.5), value: '2024-02-29T12:00:00', readxl: '2024-02-29 12:00:00' },
  { format: 20, cell: '><f>A1-B1</f><v>0.5</v>', value: '12:00:00', readxl: '1899-12-31 12:00:00' },

  // Lengths of time, in seconds.
  { format: 46, cell: number(1.604166666666667), value: 138_600, readxl: '1900-01-01 14:30:00' },
  { format: '[h]:mm', cell: number(1.604166666666667), value: 138_600, readxl: '1900-01-01 14:30:00' },
  { format: '[hh]"h" mm', cell: number(0.5), value: 43_200, readxl: '1899-12-31 12:00:00' },
  { format: '[mm]:ss', cell: number(0.0625), value: 5_400, readxl: '1899-12-31 01:30:00' },
  { format: '[ss].00', cell: number(0.000_017_361_111_11), value: 1.5, why: 'readxl does not know [ss]' },
  { format: 47, cell: number(0.003_825_231_481_48), value: 330.5, readxl: '1899-12-31 00:05:30.5' },
  { format: 'mm:ss', cell: number(0.003_819_444_444_44), value: 330, readxl: '1899-12-31 00:05:30' },
  { format: 20, cell: number(1.604166666666667), value: 138_600, readxl: '1900-01-01 14:30:00' },
  { format: '[h]:mm:ss;@', cell: number(-0.5), value: -43_200, readxl: '1899-12-30 12:00:00' },
  { format: '[h]:mm:ss.000', cell: number(0.5), value: 43_200, readxl: '1899-12-31 12:00:00' },
  { format: '[<1]h:mm;[h]:mm', cell: number(1.5), value: 129_600, readxl: '1900-01-01 12:00:00' },
  { format: '[<1]h:mm;[h]:mm', cell: number(0.5), value: '12:00:00', readxl: '1899-12-31 12:00:00' },
  { format: 20, cell: number(-0.5), value: -43_200, readxl: '1899-12-30 12:00:00' },
];

export const nameOf = ({ format, cell }: WorkbookCase) =>
  `${format === undefined ? '' : `${format}: `}<c${cell}`;
