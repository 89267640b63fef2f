import { readFileSync } from 'node:fs';

/** Data of the R package survey by column: see test/fixtures/survey-designs. Numbers of texts and empty cells are NaN. */
export interface DesignData {
  size: number;
  numbers: (column: string) => Float64Array;
  texts: (column: string) => string[];
  /** The index of each row's text among the texts in alphabetical order, as R orders the levels of a factor. */
  indices: (column: string) => { indices: Int32Array; levels: string[] };
  /** 1 for every row. */
  mask: Uint8Array;
}

export function readDesignData(name: 'apistrat' | 'apiclus1' | 'apiclus2' | 'nhanes' | 'scd'): DesignData {
  const csv = readFileSync(new URL(`../fixtures/survey-designs/${name}.csv`, import.meta.url), 'utf8');
  const [header = '', ...lines] = csv.trim().split('\n');
  const names = header.split(',');
  const rows = lines.map((line) => line.split(','));
  const texts = (column: string) => {
    const position = names.indexOf(column);
    if (position < 0) throw new Error(`${name} has no column ${column}`);
    return rows.map((cells) => cells[position]!);
  };
  return {
    size: rows.length,
    texts,
    numbers: (column) => Float64Array.from(texts(column), (text) => (text === '' ? NaN : Number(text))),
    indices: (column) => {
      const all = texts(column);
      const levels = [...new Set(all)].toSorted();
      return { levels, indices: Int32Array.from(all, (text) => levels.indexOf(text)) };
    },
    mask: new Uint8Array(rows.length).fill(1),
  };
}
