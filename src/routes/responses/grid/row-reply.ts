import { z } from 'zod';
import type { CatalogColumn } from '../../../domain/dataset/columns/column-catalog.ts';
import type { Cell } from '../../../domain/dataset/columns/column-spec.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import { groupCellReaders } from '../../../domain/dataset/read-cells.ts';
import { RESPONSE_STATUSES, type ResponseRow } from '../../../domain/dataset/response-row.ts';
import type { CommentCounter } from '../../../services/responses/response-comments.ts';
import type { SelectedRows } from '../../../services/datasets/response-reader.ts';
import { presentQuality, qualitySchema } from '../quality/quality-reply.ts';

const moment = z.iso.datetime();

/** A response in a reply. */
export const rowSchema = z
  .strictObject({
    response_id: z.int(),
    submission_id: z.string().nullable(),
    response_status: z.enum(RESPONSE_STATUSES),
    status_reason: z.string().nullable(),
    end_reason: z
      .string()
      .nullable()
      .describe('The `reason` of the skip rule that ended the response; respondents never see it'),
    started_at: moment,
    completed_at: moment.nullable(),
    updated_at: moment,
    duration_seconds: z.number().nullable(),
    last_page_id: z.int().nullable(),
    language: z.string().nullable(),
    link_id: z.int().nullable(),
    wave_id: z.int().nullable(),
    respondent_id: z.int().nullable(),
    external_id: z.string().nullable(),
    survey_version: z.int(),
    is_test: z.boolean(),
    edited: z.boolean(),
    deleted: z.boolean().describe('true only with include_deleted; the values are then null'),
    quality: qualitySchema.nullable().describe('Quality flags and their review'),
    comment_count: z.int(),
    values: z
      .record(z.string(), z.union([z.string(), z.number(), z.array(z.string()), z.null()]))
      .describe(
        'By column code; null: missing. A multiple choice with no option selected has 0 in all columns, and `[]` as a set',
      ),
  })
  .meta({ id: 'ResponseRow' });

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Returns a function that presents rows with the values of these columns. */
export function rowPresenter(
  columns: readonly CatalogColumn[],
  dataset: Dataset,
): (row: ResponseRow, commentCount: number) => z.input<typeof rowSchema> {
  const shown = columns.filter(({ spec }) => spec.source !== 'metadata');
  const groups = groupCellReaders(shown, dataset);
  return (row, commentCount) => {
    const values: Record<string, Cell> = {};
    for (const group of groups) {
      const cells = group.read(row);
      for (const { position, index } of group.columns) {
        const column = shown[position];
        if (column !== undefined) values[column.spec.columnCode] = cells[index] ?? null;
      }
    }
    return {
      response_id: row.responseId,
      submission_id: row.submissionId,
      response_status: row.status,
      status_reason: row.statusReason,
      end_reason: row.endReason,
      started_at: iso(row.startedAtMs),
      completed_at: row.completedAtMs === null ? null : iso(row.completedAtMs),
      updated_at: iso(row.updatedAtMs),
      duration_seconds: row.durationSeconds,
      last_page_id: row.lastPageId,
      language: row.language,
      link_id: row.linkId,
      wave_id: row.waveId,
      respondent_id: row.respondentId,
      external_id: row.externalId,
      survey_version: row.surveyVersion,
      is_test: row.isTest,
      edited: row.isEdited,
      deleted: row.isDeleted,
      quality: presentQuality(row.quality),
      comment_count: commentCount,
      values,
    };
  };
}

/** The rows of each chunk as JSON, comma-separated. */
export async function* rowTexts(
  { columns, chunks }: SelectedRows,
  countComments: CommentCounter,
): AsyncGenerator<string> {
  let present: ReturnType<typeof rowPresenter> | null = null;
  for await (const { rows, dataset } of chunks) {
    present ??= rowPresenter(columns, dataset);
    const presented = present;
    const counts = await countComments(rows.map((row) => row.responseId));
    yield rows.map((row) => JSON.stringify(presented(row, counts.get(row.responseId) ?? 0))).join(',');
  }
}
