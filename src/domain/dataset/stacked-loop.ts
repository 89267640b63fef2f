import type { ResponseRow } from '../responses/response-row.ts';
import type { Block } from '../survey/blocks.ts';
import type { SurveyDefinition } from '../survey/definition.ts';
import { codeForItem, loopAround, loopItems } from '../survey/loops.ts';
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
  const codes = authored.pages
    .filter((page) => loopAround(authored.blocks, page.blockId)?.id === block.id)
    .flatMap((page) => page.questions.map(({ code }) => code));
  const isInLoop = new Set(codes);
  const byItem = items.map((item) => ({
    item,
    codes: codes.map((code) => [code, codeForItem(code, item)] as const),
  }));
  const derived = catalog.columns.flatMap(({ origin }) =>
    origin.kind === 'derived' ? [origin.derived] : [],
  );
  return {
    catalog: new ColumnCatalog(stackedDefinition(authored, block, items), derived, catalog.options),
    stack: (row) =>
      byItem.flatMap(({ item, codes: own }) => {
        const answers = own.filter(([, code]) => Object.hasOwn(row.answers, code));
        if (answers.length === 0) return [];
        return [
          {
            ...row,
            answers: {
              ...row.answers,
              ...Object.fromEntries(answers.map(([code, ofItem]) => [code, row.answers[ofItem]])),
            },
            presentation: { ...row.presentation, arms: { ...row.presentation?.arms, [block.id]: item.code } },
          } as ResponseRow,
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
