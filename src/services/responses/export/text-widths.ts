import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CatalogColumn } from '../../../domain/dataset/columns/column-catalog.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import { MAX_STRING_BYTES, stringWidth } from '../../../exporters/sav/sav-model.ts';
import { isTextColumn, maxTextBytes } from '../../../exporters/sav/sav-column.ts';
import type { TextSource } from '../../../repositories/response-columns.ts';
import type { Store } from '../../../repositories/store.ts';

const ROWS_PER_TURN = 20_000;

/**
 * The width in bytes of each text column by its code, from the question settings or the longest text. The longest text of all responses is
 * used, so that another filter rarely changes the layout.
 */
export async function computeTextWidths(
  store: Store,
  surveyId: number,
  entries: readonly CatalogColumn[],
  dataset: Dataset,
  bySettings: boolean,
): Promise<ReadonlyMap<string, number>> {
  const texts = entries.filter(isTextColumn);
  const widths = new Map<string, number>();
  if (bySettings) {
    for (const entry of texts) widths.set(entry.spec.columnCode, maxTextBytes(entry));
    return widths;
  }
  const sources: { columnCode: string; source: TextSource }[] = [];
  for (const entry of texts) {
    const { columnCode } = entry.spec;
    const source = textSource(entry);
    if (source !== null) sources.push({ columnCode, source });
    else if (entry.origin.kind === 'derived')
      widths.set(columnCode, toStringWidth(await longestDerivedBytes(entry, dataset)));
    else widths.set(columnCode, toStringWidth(maxTextBytes(entry)));
  }
  const longest = await store.readOnlySnapshot(({ responseData }) =>
    responseData.longestTexts(
      surveyId,
      sources.map(({ source }) => source),
    ),
  );
  sources.forEach(({ columnCode }, index) => widths.set(columnCode, toStringWidth(longest[index]!)));
  return widths;
}

/** A longer text than SPSS supports gets its real width, so that the export reports it as cut. */
function toStringWidth(longestBytes: number): number {
  return Math.max(stringWidth(longestBytes), longestBytes > MAX_STRING_BYTES ? longestBytes : 0);
}

/** null: texts are not stored in responses, or have a known length. */
function textSource({ spec, origin }: CatalogColumn): TextSource | null {
  if (origin.kind === 'metadata') return { kind: 'metadata', code: spec.columnCode };
  if (origin.kind === 'derived' || spec.type !== 'text') return null;
  const { code } = origin.questionColumns.question;
  return { kind: spec.columnCode === code ? 'answer' : 'other', code };
}

async function longestDerivedBytes(entry: CatalogColumn, dataset: Dataset): Promise<number> {
  const column = dataset.column(entry);
  let longest = 0;
  for (let row = 0, rows = dataset.rowCount; row < rows; row += 1) {
    if (row % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
    const cell = column.cell(row);
    if (cell !== null) longest = Math.max(longest, Buffer.byteLength(String(cell)));
  }
  return longest;
}
