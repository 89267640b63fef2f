import { readDateText } from '../questions/types/date.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATETIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/;
const CLOCK = /^\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/;
/** Finer than the milliseconds that are stored. */
const FINER_SECONDS = /\.\d{3}\d*[1-9]/;

type MomentPrecision = 'date' | 'datetime' | 'time';

/** Collects whether the cells of a column are dates, points in time, or times of day, in the form of ISO 8601. */
export class MomentScan {
  /** Cells in this form that do not exist, such as 2024-02-30, and the first of them. */
  impossible = 0;
  firstImpossible: string | null = null;
  private cells = 0;
  private dates = 0;
  private datetimes = 0;
  private clocks = 0;

  add(cell: string | number): void {
    this.cells += 1;
    if (typeof cell === 'number') return;
    const text = cell.trim();
    // 38:30 is a length of time.
    if (CLOCK.test(text) && readDateText(text, 'time').ok) this.clocks += 1;
    const isDate = DATE.test(text);
    if (!isDate && (!DATETIME.test(text) || FINER_SECONDS.test(text))) return;
    this.datetimes += 1;
    if (isDate) this.dates += 1;
    if (readDateText(text, isDate ? 'date' : 'datetime').ok) return;
    this.impossible += 1;
    this.firstImpossible ??= text;
  }

  /** Whether all cells are dates, or times of a day; true if there are none. */
  get areDates(): boolean {
    return this.dates === this.cells;
  }

  get areClocks(): boolean {
    return this.clocks === this.cells;
  }

  /** The precision of all cells, of which at least one exists; null: there are other cells. */
  get precision(): MomentPrecision | null {
    if (this.cells === 0 || this.impossible === this.cells) return null;
    if (this.areDates) return 'date';
    if (this.datetimes === this.cells) return 'datetime';
    return this.areClocks ? 'time' : null;
  }
}
