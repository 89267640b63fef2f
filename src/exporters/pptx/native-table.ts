import type { TableCellProps, TableRow } from './library.ts';
import { toInches } from './inches.ts';
import type { Palette } from './palette.ts';
import { type Paragraph, textRuns, type WritingDirection } from './text-body.ts';

export interface TableCell {
  paragraphs: Paragraph[];
  /** Number of columns; the covered cells are omitted. */
  span?: number;
  anchor?: 't' | 'ctr' | 'b';
}

export interface TableRowLayout {
  cells: TableCell[];
  /** Points. */
  height: number;
  /** The line below the row; `strong` is darker. */
  rule?: 'none' | 'hair' | 'strong';
}

export interface NativeTable {
  /** Points. */
  widths: number[];
  lines: TableRowLayout[];
  hasHeader: boolean;
  /** Cell padding in points; the library reads values below 1 as inches. */
  padding: { x: number; y: number };
}

const ANCHORS = { t: 'top', ctr: 'middle', b: 'bottom' } as const;

/** Rows in the format of the library. Each cell has its own options, because the library modifies them. */
export function tableRows(
  { lines, padding }: NativeTable,
  palette: Palette,
  writing: WritingDirection,
): TableRow[] {
  const { line, mutedText } = palette.style;
  const rules = {
    none: () => ({ type: 'none' }) as const,
    hair: () => ({ type: 'solid', pt: 0.75, color: palette.colorName(line) }) as const,
    strong: () => ({ type: 'solid', pt: 1, color: palette.colorName(mutedText) }) as const,
  };
  const none = rules.none;
  return lines.map(({ cells, rule = 'hair' }) =>
    cells.map(({ paragraphs, span = 1, anchor = 'ctr' }): TableCellProps => {
      const size = paragraphs[0]?.runs[0]?.size;
      return {
        text: textRuns(paragraphs, writing),
        options: {
          valign: ANCHORS[anchor],
          margin: [padding.y, padding.x, padding.y, padding.x],
          border: [none(), none(), rules[rule](), none()],
          ...(size !== undefined && { fontSize: size }),
          ...(span > 1 && { colspan: span }),
        },
      };
    }),
  );
}

export const rowHeights = ({ lines }: NativeTable): number[] => lines.map(({ height }) => toInches(height));
