import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CatalogColumn } from '../../../domain/dataset/columns/column-catalog.ts';
import type { Cell } from '../../../domain/dataset/columns/column-spec.ts';
import { type CellGroup, groupCellReaders } from '../../../domain/dataset/read-cells.ts';
import type { SelectedRows } from '../../datasets/response-reader.ts';

/**
 * Reads the cells of the selected responses in chunks of rows and yields to the event loop in between. `readers` is parallel to `entries`.
 */
export async function* readCellRows<Read>(
  { chunks }: Pick<SelectedRows, 'chunks'>,
  entries: readonly CatalogColumn[],
  readers: readonly ((cell: Cell) => Read)[],
): AsyncGenerator<Read[][]> {
  let groups: CellGroup[] | null = null;
  for await (const { rows, dataset } of chunks) {
    groups ??= groupCellReaders(entries, dataset);
    const known = groups;
    yield rows.map((row) => {
      const line = new Array<Read>(readers.length);
      for (const group of known) {
        const cells = group.read(row);
        for (const { position: place, index } of group.columns)
          line[place] = readers[place]!(cells[index] ?? null);
      }
      return line;
    });
    await nextTurn();
  }
}
