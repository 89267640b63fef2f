import { fitText } from './bytes.ts';
import type { CaseEncoder } from './case-encoder.ts';
import { ELEMENT_BYTES, SEGMENT_BYTES, type Layout, type VariableLayout } from './layout.ts';
import { parseTimeSeconds, parseDateSeconds } from './date-seconds.ts';
import type { SavReport } from './sav-report.ts';
import type { NumericVariable, SavCell } from './sav-variable.ts';

/** Writes rows. Cells are in the order of the file's variables. */
export class CaseWriter {
  private readonly layout: Layout;
  private readonly encoder: CaseEncoder;
  private readonly report: SavReport;

  constructor(layout: Layout, encoder: CaseEncoder, report: SavReport) {
    this.layout = layout;
    this.encoder = encoder;
    this.report = report;
  }

  write(row: readonly SavCell[]): void {
    const { variables } = this.layout;
    for (let i = 0; i < variables.length; i += 1) {
      const variableLayout = variables[i]!;
      const cell = row[i] ?? null;
      if (variableLayout.variable.type === 'string') this.writeText(variableLayout, cell);
      else this.writeNumber(variableLayout.variable, cell);
    }
  }

  private writeNumber(variable: NumericVariable, cell: SavCell): void {
    const value = cell === null || cell === '' ? null : toNumber(variable.type, cell);
    if (value !== null && Number.isFinite(value)) this.encoder.addNumber(value);
    else {
      if (cell !== null && cell !== '') this.report.add('cell_unreadable', variable.name);
      this.encoder.addSystemMissing();
    }
  }

  private writeText({ variable, widthBytes, segments }: VariableLayout, cell: SavCell): void {
    const reportTruncation = () => this.report.add('text_cut', variable.name);
    const text = fitText(cell === null ? '' : String(cell), widthBytes, reportTruncation);
    for (let s = 0; s < segments.length; s += 1) {
      const { widthBytes: width, elements } = segments[s]!;
      const start = s * SEGMENT_BYTES;
      const end = Math.min(text.length, start + width);
      for (let element = 0; element < elements; element += 1) {
        this.encoder.addCharacters(text, start + element * ELEMENT_BYTES, end);
      }
    }
  }
}

function toNumber(type: NumericVariable['type'], cell: string | number): number | null {
  if (typeof cell === 'number') return type === 'number' ? cell : null;
  switch (type) {
    case 'number':
      return cell.trim() === '' ? null : Number(cell);
    case 'time':
      return parseTimeSeconds(cell);
    case 'month':
      return parseDateSeconds(`${cell}-01`);
    case 'date':
    case 'datetime':
      return parseDateSeconds(cell);
  }
}
