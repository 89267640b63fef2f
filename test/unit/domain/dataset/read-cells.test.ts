import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ColumnCatalog, listQuestionCodes } from '../../../../src/domain/dataset/column-catalog.ts';
import type { Cell } from '../../../../src/domain/columns/column-spec.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { createRowReader, hasExactCells } from '../../../../src/domain/dataset/read-cells.ts';
import { everyType, question, response, rowArbitrary, surveyOf } from './survey-fixture.ts';

const catalog = new ColumnCatalog(everyType);
const rowsOfEveryType = fc.array(rowArbitrary(fc.integer({ min: 1, max: 60 })), { maxLength: 40 });

test('reads the cells of the codecs from row after row into one array', () => {
  fc.assert(
    fc.property(rowsOfEveryType, (rows) => {
      // Backwards, so that the columns of a question are not in their order.
      const columns = [...catalog.columns].reverse().filter(({ origin }) => origin.kind !== 'derived');
      const read = createRowReader(columns, new Dataset(catalog));
      const cells: Cell[] = [];
      for (const row of rows) {
        read(row, cells);
        const expected = columns.map(({ origin }): Cell => {
          if (origin.kind === 'metadata') {
            const value = origin.metadata.read(row);
            const isTime = origin.metadata.spec.type === 'date' && value !== null;
            return isTime ? new Date(value).toISOString() : value;
          }
          if (origin.kind !== 'question' || row.isDeleted) return null;
          const { question: asked, codec } = origin.questionColumns;
          return codec.toCells(asked, row.answers[asked.code])[origin.index] ?? null;
        });
        expect(cells).toEqual(expected);
      }
    }),
    { seed: 5, numRuns: 100 },
  );
});

test('reads the same cells from stored columns as from answers', () => {
  const columns = catalog.columns.filter(({ origin }) => origin.kind !== 'derived');
  const storedTypes = new Set<string>();
  fc.assert(
    fc.property(rowsOfEveryType, (rows) => {
      const last = [...new Map(rows.map((row) => [row.responseId, row])).values()];
      const stored = Dataset.ofRows(catalog, last, catalog.loadCodes);
      const exact = columns.filter((column) => hasExactCells(stored, column));
      if (last.length > 0) for (const { spec } of exact) storedTypes.add(spec.type);
      // Answers whose cells are stored are not needed.
      const needed = new Set(listQuestionCodes(columns.filter((column) => !exact.includes(column))));
      const readAnswers = createRowReader(columns, stored);
      const readStored = createRowReader(columns, stored, stored);
      for (const row of last) {
        const [cells, storedCells]: [Cell[], Cell[]] = [[], []];
        readAnswers(row, cells);
        const answers = Object.fromEntries(Object.entries(row.answers).filter(([code]) => needed.has(code)));
        readStored({ ...row, answers }, storedCells);
        expect(storedCells).toEqual(cells);
      }
    }),
    { seed: 5, numRuns: 100 },
  );
  expect([...storedTypes]).toEqual(expect.arrayContaining(['categorical', 'binary', 'number', 'rank']));
});

test('reads no answer from the prototype of the answers', () => {
  const asked = new ColumnCatalog(surveyOf(question('text', 'constructor'), question('text', 'valueOf')));
  const columns = asked.columns.filter(({ origin }) => origin.kind === 'question');
  const cells: Cell[] = [];
  createRowReader(columns, new Dataset(asked))(response(1, { valueOf: 'mine' }), cells);
  expect(cells).toEqual([null, 'mine']);
});
