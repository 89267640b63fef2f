import type { ResponseRow } from '../responses/response-row.ts';
import type { Block } from '../survey/blocks.ts';
import type { SurveyDefinition } from '../survey/definition.ts';
import { codeForItem, idForItem, loopAround, loopItems } from '../survey/loops.ts';
import { type CatalogColumn, ColumnCatalog } from './column-catalog.ts';

/** The data of a survey with a row for each response and item of a loop, instead of columns for each item. */
export interface StackedLoop {
  /** The columns: those of the questions in the loop once, with the codes that authors know, and `<block_code>_item`. */
  catalog: ColumnCatalog;
  /** Returns a row for each item of which the respondent was shown a question, in the order of the items. */
  stack: (row: ResponseRow) => ResponseRow[];
  /** Returns the columns with one for each item whose cells a stacked column has; other columns unchanged. */
  sourcesOf: (entry: CatalogColumn) => readonly CatalogColumn[];
  itemCount: number;
}

/** Returns the data by item of the loop with this code; null: no block with this code is a loop. */
export function stackLoop(catalog: ColumnCatalog, loopCode: string): StackedLoop | null {
  const { authored } = catalog;
  const block = authored.blocks.find(
    (each) => each.loop !== null && each.code.toLowerCase() === loopCode.toLowerCase(),
  );
  if (block?.loop === undefined || block.loop === null) return null;
  const items = loopItems(block.loop, authored);
  const isWithin = (blockId: number | null) => loopAround(authored.blocks, blockId)?.id === block.id;
  const pages = authored.pages.filter((page) => isWithin(page.blockId));
  const codes = pages.flatMap((page) => page.questions.map(({ code }) => code));
  const isInLoop = new Set(codes);
  const pageIds = pages.map(({ id }) => id);
  const innerIds = authored.blocks.filter(({ parentId }) => isWithin(parentId)).map(({ id }) => id);
  const byItem = items.map((item) => {
    const byId = (id: number): Renamed => [String(id), String(idForItem(id, item))];
    return {
      item,
      codes: codes.map((code): Renamed => [code, codeForItem(code, item)]),
      pages: pageIds.map(byId),
      blocks: innerIds.map(byId),
    };
  });
  const derived = catalog.columns.flatMap(({ origin }) =>
    origin.kind === 'derived' ? [origin.derived] : [],
  );
  return {
    catalog: new ColumnCatalog(stackedDefinition(authored, block, items), derived, catalog.options),
    stack: (row) =>
      byItem.flatMap(({ item, codes: own, pages: ownPages, blocks }): ResponseRow[] => {
        const answers = valuesOfItem(row.answers, own);
        if (Object.keys(answers).length === 0) return [];
        const { arms = {}, positions = {}, orders = {} } = row.presentation ?? {};
        return [
          {
            ...row,
            // Inherits the other answers: copying up to thousands of them for each item would take long.
            answers: Object.assign(Object.create(row.answers) as typeof answers, answers),
            pageTimes: row.pageTimes && { ...row.pageTimes, ...valuesOfItem(row.pageTimes, ownPages) },
            presentation: {
              arms: { ...arms, ...valuesOfItem(arms, blocks), [block.id]: item.code },
              positions: { ...positions, ...valuesOfItem(positions, own) },
              orders: { ...orders, ...valuesOfItem(orders, own) },
            },
          },
        ];
      }),
    sourcesOf: (entry) => {
      const { origin } = entry;
      if (origin.kind !== 'question' || !isInLoop.has(origin.questionColumns.question.code)) return [entry];
      const { code } = origin.questionColumns.question;
      return items.flatMap((item) => {
        const columns = catalog.question(codeForItem(code, item));
        const spec = (origin.part === 'set' ? columns?.sets : columns?.columns)?.[origin.index];
        const found = spec === undefined ? undefined : catalog.find(spec.columnCode);
        return found ?? [];
      });
    },
    itemCount: items.length,
  };
}

/** What authors call a question, page or block, and its name as it is shown for an item. */
type Renamed = readonly [authored: string, ofItem: string];

/** Returns the values of an item, under the names that authors know. */
function valuesOfItem<T>(values: Readonly<Record<string, T>>, names: readonly Renamed[]): Record<string, T> {
  return Object.fromEntries(
    names.flatMap(([authored, ofItem]): [string, T][] =>
      Object.hasOwn(values, ofItem) ? [[authored, values[ofItem] as T]] : [],
    ),
  );
}

function stackedDefinition(
  authored: SurveyDefinition,
  block: Block,
  items: NonNullable<Block['stacked']>,
): SurveyDefinition {
  return {
    ...authored,
    blocks: authored.blocks.map((each) =>
      each.id === block.id ? { ...each, loop: null, stacked: items } : each,
    ),
  };
}
