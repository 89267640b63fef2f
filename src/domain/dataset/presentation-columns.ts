import { columnValues, type MetadataColumn, metadataSpec } from '../responses/metadata-columns.ts';
import type { ResponseRow } from '../responses/response-row.ts';
import { presentationLoadCode } from '../responses/presentation.ts';
import { blocksAround, liveArms } from '../survey/blocks.ts';
import { authoredId } from '../survey/copy-ids.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../survey/definition.ts';
import { hasRandomOrder, isArranged, questionsWithPlaces } from '../survey/logic/presentation.ts';

/** A column with what chance decided for each response, and the code by which it is loaded. */
export interface PresentationColumn {
  loadCode: string;
  metadata: MetadataColumn;
}

/**
 * Returns the columns with the arms of blocks, the places of questions, the orders of options, and in a survey with blocks or a random order
 * the seconds on each page. Blocks, questions and pages that are no longer part of the survey keep theirs.
 */
export function presentationColumns(definition: SurveyDefinition): PresentationColumn[] {
  const questions = questionsOf(definition, 'all').filter(({ settings }) => !settings.hidden);
  const placed = new Set(questionsWithPlaces(definition));
  return [
    ...definition.blocks.filter(({ arms }) => arms.length > 0).map(armColumn),
    ...definition.blocks.flatMap(itemColumn),
    ...questions.filter((question) => placed.has(question)).map(positionColumn),
    ...questions.filter(hasRandomOrder).map(orderColumn),
    ...(isArranged(definition) ? pageColumns(definition) : []),
  ];
}

/** The code of the column with the item of a row. */
const itemColumnCode = (blockCode: string): string => `${blockCode}_item`;

/** The code of the column with the arms of a block. */
export const armColumnCode = (blockCode: string): string => `${blockCode}_arm`;

function armColumn({ id, code, title, arms }: SurveyDefinition['blocks'][number]): PresentationColumn {
  const all = [...liveArms({ arms }), ...arms.filter(({ retired }) => retired)];
  return {
    loadCode: presentationLoadCode('arms', String(id)),
    metadata: {
      spec: metadataSpec(armColumnCode(code), `Arm of ${title ?? code}`, {
        type: 'categorical',
        values: columnValues(all.map((arm) => ({ value: arm.code, label: arm.label }))),
      }),
      read: ({ presentation }) => presentation?.arms?.[id] ?? null,
    },
  };
}

/** Where data have a row for each item of a loop: the item of the row. */
const itemColumn = ({
  id,
  code,
  title,
  stacked,
}: SurveyDefinition['blocks'][number]): PresentationColumn[] =>
  stacked === undefined
    ? []
    : [
        {
          loadCode: presentationLoadCode('arms', String(id)),
          metadata: {
            spec: metadataSpec(itemColumnCode(code), `Item of ${title ?? code}`, {
              type: 'categorical',
              values: columnValues(stacked.map((item) => ({ value: item.code, label: item.label }))),
            }),
            read: ({ presentation }) => presentation?.arms?.[id] ?? null,
          },
        },
      ];

const positionColumn = ({ code }: Question): PresentationColumn => ({
  loadCode: presentationLoadCode('positions', code),
  metadata: {
    spec: metadataSpec(`${code}_position`, `Place of ${code} among the questions`, {
      type: 'number',
      measure: 'scale',
    }),
    read: ({ presentation }) => ownValue(presentation?.positions, code),
  },
});

const orderColumn = ({ code }: Question): PresentationColumn => ({
  loadCode: presentationLoadCode('orders', code),
  metadata: {
    spec: metadataSpec(`${code}_order`, `Order shown in ${code}`, { type: 'text' }),
    read: ({ presentation }) => ownValue(presentation?.orders, code),
  },
});

/** The id of a page in a loop names the item: `12[A]`. */
function shownId(
  { id, blockId }: { id: number; blockId: number | null },
  blocks: SurveyDefinition['blocks'],
): string {
  const item = blocksAround(blocks, blockId).find((block) => block.item !== undefined)?.item;
  return item === undefined ? String(id) : `${authoredId(id)}[${item.code}]`;
}

function pageColumns({ blocks, pages }: SurveyDefinition): PresentationColumn[] {
  return pages
    .filter((page) => page.questions.length > 0)
    .map(({ id, title, blockId }, index): PresentationColumn => ({
      loadCode: presentationLoadCode('page_times', String(id)),
      metadata: {
        spec: metadataSpec(
          `page_${shownId({ id, blockId }, blocks)}_seconds`,
          `Seconds on ${title ?? `page ${index + 1}`}`,
          {
            type: 'number',
            measure: 'scale',
          },
        ),
        read: ({ pageTimes }: ResponseRow) => pageTimes?.[id] ?? null,
      },
    }));
}

/** Codes of questions can be names that every object has. */
const ownValue = <T>(values: Readonly<Record<string, T>> | undefined, code: string): T | null =>
  values !== undefined && Object.hasOwn(values, code) ? (values[code] ?? null) : null;
