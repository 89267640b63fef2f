import { columnLetters, type XlsxCell } from '../../xlsx/sheet.ts';
import { type XlsxFile } from '../../xlsx/xlsx-file.ts';
import { storable, xmlText } from '../xml.ts';

const SHEET = 'Data';

export interface SheetSeries {
  name: string;
  values: readonly (number | null)[];
}

/** The figures of a chart: its workbook, and the ranges of it that the chart draws, which it keeps a copy of. */
export class DataSheet {
  readonly categories: readonly string[];
  readonly series: readonly SheetSeries[];

  constructor(categories: readonly string[], series: readonly SheetSeries[]) {
    this.categories = categories.map(storable);
    this.series = series.map(({ name, values }) => ({ name: storable(name), values }));
  }

  /** The name of a series. */
  name(place: number): string {
    const { name } = this.series[place]!;
    return `<c:tx><c:strRef><c:f>${SHEET}!$${columnLetters(place + 1)}$1</c:f><c:strCache><c:ptCount val="1"/>${point(0, xmlText(name))}</c:strCache></c:strRef></c:tx>`;
  }

  categoryRange(): string {
    const points = this.categories.map((name, index) => point(index, xmlText(name))).join('');
    return `<c:cat><c:strRef><c:f>${this.#range(0)}</c:f><c:strCache><c:ptCount val="${this.categories.length}"/>${points}</c:strCache></c:strRef></c:cat>`;
  }

  /** What is unknown is a gap. */
  valueRange(place: number): string {
    const { values } = this.series[place]!;
    const points = this.categories
      .map((_, index) => {
        const value = values[index] ?? null;
        return value === null ? '' : point(index, String(value));
      })
      .join('');
    return `<c:val><c:numRef><c:f>${this.#range(place + 1)}</c:f><c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="${this.categories.length}"/>${points}</c:numCache></c:numRef></c:val>`;
  }

  #range(column: number): string {
    const letters = columnLetters(column);
    return `${SHEET}!$${letters}$2:$${letters}$${this.categories.length + 1}`;
  }

  workbook(title: string, createdAt: Date): XlsxFile {
    const rows = this.categories.map((category, index): XlsxCell[] => [
      category,
      ...this.series.map(({ values }) => values[index] ?? null),
    ]);
    const column = (header: string, widthCharacters: number) =>
      ({ header, style: 'plain', widthCharacters }) as const;
    const columns = [column('', 32), ...this.series.map(({ name }) => column(name, 16))];
    return { title: storable(title), createdAt, sheets: [{ name: SHEET, columns, rows: once(rows) }] };
  }
}

const point = (index: number, value: string) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`;

async function* once<T>(value: T): AsyncGenerator<T> {
  yield await Promise.resolve(value);
}
