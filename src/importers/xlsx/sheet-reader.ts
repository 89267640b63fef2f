import {
  MAX_IMPORT_CELLS,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
  TOO_MANY_CELLS,
} from '../../domain/import/source-file.ts';
import { MAX_HEADER_ROWS } from '../../domain/import/recognize-table.ts';
import { sizeAtMost } from '../../lib/error-messages.ts';
import { tooLarge } from '../../lib/errors.ts';
import { unreadableFile } from '../byte-file.ts';
import type { CellConverter, RawCell, SheetCell } from './cell-value.ts';
import { formatMegabytes, MAX_CELL_BYTES } from './workbook-limits.ts';
import type { XmlHandler, XmlTag } from './xml-tokenizer.ts';

/** A row with at least one value, without the empty cells at its end. */
export interface SheetRow {
  row: number;
  cells: SheetCell[];
}

/** Collects the texts of a rich text (`si` or `is`): those of its runs, without phonetic hints. */
export class RichTextReader {
  isTextNeeded = false;
  private text: string | null = null;
  private isPhonetic = false;

  /** `depth`: of the element, from that of the rich text. */
  openElement(name: string, depth: number): void {
    if (depth === 1) this.isPhonetic = name === 'rPh';
    this.isTextNeeded = name === 't' && depth <= 2 && !this.isPhonetic;
    if (this.isTextNeeded) this.text ??= '';
  }

  addText(text: string): void {
    this.text = (this.text ?? '') + text;
    if (this.text.length > MAX_CELL_BYTES)
      throw tooLarge(`file: a cell holds a text of more than ${formatMegabytes(MAX_CELL_BYTES)}`);
  }

  closeElement(): void {
    this.isTextNeeded = false;
  }

  /** Returns the text, null without any, and starts the next one. */
  take(): string | null {
    const { text } = this;
    this.text = null;
    this.isPhonetic = false;
    return text;
  }
}

/** Depths of the elements of a sheet: `worksheet/sheetData/row/c/v` and `is/t` or `is/r/t`. */
const DEPTH = { root: 1, sheetData: 2, row: 3, cell: 4, value: 5 } as const;
const CODE_A = 65;

/** Reads the rows of a sheet. Rows and cells without a reference follow the one before. */
export class SheetReader implements XmlHandler {
  isTextNeeded = false;
  /** The rows that were read since `takeRows`. */
  private rows: SheetRow[] = [];
  private isInData = false;
  private row = 0;
  private cells: SheetCell[] = [];
  private isInCell = false;
  private isInRichText = false;
  private readonly richText = new RichTextReader();
  private readonly cell: RawCell = {
    row: 0,
    column: -1,
    type: null,
    style: 0,
    text: null,
    hasFormula: false,
  };
  private cellCount = 0;
  private rowCount = 0;

  constructor(private readonly converter: CellConverter) {}

  takeRows(): SheetRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  openElement(name: string, depth: number, tag: XmlTag): void {
    if (depth > DEPTH.value) {
      if (!this.isInRichText) return;
      this.richText.openElement(name, depth - DEPTH.value);
      this.isTextNeeded = this.richText.isTextNeeded;
      return;
    }
    switch (depth) {
      case DEPTH.root:
        if (name !== 'worksheet')
          throw unreadableFile(
            `cannot be read as an .xlsx workbook: its sheet is a part "${name.slice(0, 40)}"`,
          );
        return;
      case DEPTH.sheetData:
        this.isInData = name === 'sheetData';
        return;
      case DEPTH.row:
        if (this.isInData && name === 'row') this.startRow(tag);
        return;
      case DEPTH.cell:
        this.isInCell = this.isInData && name === 'c';
        if (this.isInCell) this.startCell(tag);
        return;
      default:
        if (this.isInCell) this.startPart(name);
    }
  }

  addText(text: string): void {
    if (this.isInRichText) this.richText.addText(text);
    else this.cell.text = (this.cell.text ?? '') + text;
  }

  closeElement(name: string, depth: number): void {
    this.isTextNeeded = false;
    if (depth > DEPTH.value) {
      if (this.isInRichText) this.richText.closeElement();
    } else if (depth === DEPTH.value && this.isInRichText) {
      this.isInRichText = false;
      this.cell.text = this.richText.take() ?? this.cell.text;
    } else if (depth === DEPTH.cell && this.isInCell) {
      this.isInCell = false;
      this.endCell();
    } else if (depth === DEPTH.row && this.isInData && name === 'row') this.endRow();
    else if (depth === DEPTH.sheetData) this.isInData = false;
  }

  private startRow(tag: XmlTag): void {
    let stated = 0;
    tag.readAttributes((name, value) => {
      if (name === 'r') stated = /^\d{1,7}$/.test(value) ? Number(value) : 0;
    });
    this.row = Math.max(stated, this.row + 1);
    this.cells = [];
    this.cell.row = this.row;
    this.cell.column = -1;
  }

  private startCell(tag: XmlTag): void {
    const { cell } = this;
    cell.type = null;
    cell.style = 0;
    cell.text = null;
    cell.hasFormula = false;
    cell.column += 1;
    tag.readAttributes(this.setAttribute);
  }

  private readonly setAttribute = (name: string, value: string): void => {
    const { cell } = this;
    if (name === 'r') cell.column = columnOfReference(value) ?? cell.column;
    else if (name === 's') cell.style = Number(value);
    else if (name === 't') cell.type = value;
  };

  private startPart(name: string): void {
    if (name === 'v') {
      this.isTextNeeded = true;
      this.cell.text = '';
    } else if (name === 'f') this.cell.hasFormula = true;
    else this.isInRichText = name === 'is';
  }

  private endCell(): void {
    const { cell, cells } = this;
    if (cell.text === null && !cell.hasFormula) return;
    const { column } = cell;
    if (column >= MAX_IMPORT_COLUMNS)
      throw tooLarge(`file: row ${this.row} ${sizeAtMost(MAX_IMPORT_COLUMNS, 'column', column + 1)}`);
    const value = this.converter.convert(cell);
    if (value === null) return;
    while (cells.length < column) cells.push(null);
    cells[column] = value;
  }

  private endRow(): void {
    const { row, cells } = this;
    if (cells.length === 0) return;
    this.cellCount += cells.length;
    if (this.cellCount > MAX_IMPORT_CELLS) throw tooLarge(TOO_MANY_CELLS);
    this.rowCount += 1;
    if (this.rowCount > MAX_IMPORT_ROWS + MAX_HEADER_ROWS)
      throw tooLarge(`file: ${sizeAtMost(MAX_IMPORT_ROWS, 'row')}`);
    this.rows.push({ row, cells });
  }
}

/** Returns the index of the column of a reference such as `AB12`, from 0; null without letters. */
function columnOfReference(reference: string): number | null {
  let column = 0;
  for (let i = 0; i < reference.length && i < 4; i += 1) {
    // Upper case.
    const letter = (reference.charCodeAt(i) & ~0x20) - CODE_A;
    if (letter < 0 || letter >= 26) break;
    column = column * 26 + letter + 1;
  }
  return column === 0 ? null : column - 1;
}
