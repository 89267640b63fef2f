import type { Paint } from './paint.ts';
import { paragraphsXml, type Paragraph, type TextSurroundings } from './text-body.ts';
import { emu } from './xml.ts';

export interface TableCell {
  paragraphs: Paragraph[];
  /** So many columns wide; those that follow are left out of the row. */
  span?: number;
  fill?: string;
  anchor?: 't' | 'ctr' | 'b';
}

export interface TableLine {
  cells: TableCell[];
  /** Points. */
  height: number;
  /** The line below it; `strong` in ink. */
  rule?: 'none' | 'hair' | 'strong';
}

export interface NativeTable {
  /** Points. */
  widths: number[];
  lines: TableLine[];
  hasHeader: boolean;
  /** Between text and the edge of a cell, in points. */
  padding: { x: number; y: number };
}

const NO_LINE = ['lnL', 'lnR', 'lnT'].map((side) => `<a:${side} w="0"><a:noFill/></a:${side}>`).join('');

/** A table of PowerPoint's own. In a report that is read from the right its first column stands on the right. */
export function nativeTable(table: NativeTable, paint: Paint, surroundings: TextSurroundings): string {
  const { widths, lines, hasHeader, padding } = table;
  const { look } = paint;
  const rules = {
    none: '<a:lnB w="0"><a:noFill/></a:lnB>',
    hair: `<a:lnB w="9525">${paint.fill(look.line)}</a:lnB>`,
    strong: `<a:lnB w="12700">${paint.fill(look.soft)}</a:lnB>`,
  };
  const [x, y] = [emu(padding.x), emu(padding.y)];
  const cellXml = ({ paragraphs, span = 1, fill, anchor = 'ctr' }: TableCell, rule: string) =>
    [
      `<a:tc${span > 1 ? ` gridSpan="${span}"` : ''}><a:txBody><a:bodyPr/><a:lstStyle/>${paragraphsXml(paragraphs, surroundings)}</a:txBody>`,
      `<a:tcPr marL="${x}" marR="${x}" marT="${y}" marB="${y}" anchor="${anchor}">${NO_LINE}${rule}${fill ?? '<a:noFill/>'}</a:tcPr></a:tc>`,
      '<a:tc hMerge="1"><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr lang="en-US"/></a:p></a:txBody><a:tcPr/></a:tc>'.repeat(
        span - 1,
      ),
    ].join('');
  const rows = lines.map(({ cells, height, rule = 'hair' }) => {
    const content = cells.map((cell) => cellXml(cell, rules[rule])).join('');
    return `<a:tr h="${emu(height)}">${content}</a:tr>`;
  });
  const grid = widths.map((width) => `<a:gridCol w="${emu(width)}"/>`).join('');
  return `<a:tbl><a:tblPr${surroundings.isRtl ? ' rtl="1"' : ''}${hasHeader ? ' firstRow="1"' : ''}/><a:tblGrid>${grid}</a:tblGrid>${rows.join('')}</a:tbl>`;
}
