import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import type { Cell } from '../../../../src/domain/columns/column-spec.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { createRowReader } from '../../../../src/domain/dataset/read-cells.ts';
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

test('reads no answer from the prototype of the answers', () => {
  const asked = new ColumnCatalog(surveyOf(question('text', 'constructor'), question('text', 'valueOf')));
  const columns = asked.columns.filter(({ origin }) => origin.kind === 'question');
  const cells: Cell[] = [];
  createRowReader(columns, new Dataset(asked))(response(1, { valueOf: 'mine' }), cells);
  expect(cells).toEqual([null, 'mine']);
});
