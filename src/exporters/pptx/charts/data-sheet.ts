import type { XlsxCell, XlsxFile } from '../../xlsx/xlsx-file.ts';
import { removeForbiddenCharacters } from '../xml.ts';

/** The sheet name that the library uses in charts. */
const SHEET = 'Sheet1';

export interface SheetSeries {
  name: string;
  values: readonly (number | null)[];
}

/** The data of a chart for its workbook: categories in the first column, one column per series. */
export class DataSheet {
  readonly categories: readonly string[];
  readonly series: readonly SheetSeries[];

  constructor(categories: readonly string[], series: readonly SheetSeries[]) {
    this.categories = categories.map(removeForbiddenCharacters);
    this.series = series.map(({ name, values }) => ({ name: removeForbiddenCharacters(name), values }));
  }

  /** A series in the format of the library, which modifies it. Missing values become empty points. */
  seriesData(seriesIndex: number): { name: string; labels: string[]; values: number[] } {
    const { name, values } = this.series[seriesIndex]!;
    const points = this.categories.map((_, index) => values[index] ?? null);
    return { name, labels: [...this.categories], values: points as number[] };
  }

  workbook(title: string, createdAt: Date): XlsxFile {
    const rows = this.categories.map((category, index): XlsxCell[] => [
      category,
      ...this.series.map(({ values }) => values[index] ?? null),
    ]);
    const column = (header: string, widthCharacters: number) =>
      ({ header, style: 'plain', widthCharacters }) as const;
    const columns = [column('', 32), ...this.series.map(({ name }) => column(name, 16))];
    return {
      title: removeForbiddenCharacters(title),
      createdAt,
      sheets: [{ name: SHEET, columns, rows: singleChunk(rows) }],
    };
  }
}

async function* singleChunk<T>(value: T): AsyncGenerator<T> {
  yield await Promise.resolve(value);
}
