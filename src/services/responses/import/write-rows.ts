import type { StoredAnswers } from '../../../domain/answers/codec.ts';
import {
  type AnswerStates,
  createEditPatch,
  type EditableAnswers,
  type ResponsePatch,
} from '../../../domain/dataset/response-patch.ts';
import type { Ids } from '../../../lib/ids.ts';
import type { EditableRow } from '../../../repositories/data-changes.ts';
import type { NewResponse } from '../../../repositories/responses.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import { lockForQuotas } from '../changes/quota-recounter.ts';
import type { OpenChange } from '../changes/data-changes.ts';
import type { RowSpool, SpooledRow } from './row-spool.ts';

const TOKEN_CHARACTERS = 32;

export interface WriteInto {
  surveyId: number;
  surveyVersion: number;
  /** Questions that the file has columns for. */
  questionCodes: readonly string[];
  /** Whether the file has the response status. */
  hasStatus: boolean;
  /** Whether the file has the duration, which then is not computed. */
  hasDuration: boolean;
  now: Date;
  ids: Ids;
}

export interface WrittenRows {
  created: number;
  /** Responses created by others after the rows were checked. */
  existing: number;
  updated: number;
  unchanged: number;
}

/** Writes spooled rows: creates new responses and updates existing ones. */
export async function writeRows(
  repositories: Repositories,
  change: OpenChange | null,
  spool: RowSpool,
  into: WriteInto,
): Promise<WrittenRows> {
  const written: WrittenRows = { created: 0, existing: 0, updated: 0, unchanged: 0 };
  if (change !== null) await lockForQuotas(repositories, into.surveyId, () => knownIds(spool));
  for await (const rows of spool.chunks()) {
    const created = rows.filter(({ responseId }) => responseId === null);
    const results = await repositories.responses.insertMany(created.map((row) => newResponse(row, into)));
    const createdIds = results.filter(({ created }) => created).map((one) => one.response_id);
    await change?.recordCreated(createdIds, into.now);
    written.created += createdIds.length;
    written.existing += results.length - createdIds.length;
    if (change !== null && created.length < rows.length) {
      const updated = await updateRows(repositories, change, rows, into);
      written.updated += updated.updated;
      written.unchanged += updated.unchanged;
    }
  }
  return written;
}

async function knownIds(spool: RowSpool): Promise<number[]> {
  const ids: number[] = [];
  for await (const rows of spool.chunks()) ids.push(...rows.flatMap(({ responseId }) => responseId ?? []));
  return ids;
}

/** Updates existing responses; ignores the other rows. */
async function updateRows(
  { dataChanges }: Repositories,
  change: OpenChange,
  rows: readonly SpooledRow[],
  into: WriteInto,
): Promise<{ updated: number; unchanged: number }> {
  const byId = new Map(
    rows.flatMap((row) => (row.responseId === null ? [] : [[row.responseId, row] as const])),
  );
  const locked = await dataChanges.lockRows(into.surveyId, [...byId.keys()]);
  const patches = locked.flatMap((response) => {
    const patch = patchOf(response, byId.get(response.response_id)!, into);
    return patch === null ? [] : [{ responseId: response.response_id, ...patch }];
  });
  await change.patchResponses(patches);
  return { updated: patches.length, unchanged: locked.length - patches.length };
}

/** Answers of questions in the file are replaced; a deleted response is restored. */
function patchOf(
  response: EditableRow,
  row: SpooledRow,
  { questionCodes, hasStatus }: WriteInto,
): { before: ResponsePatch; after: ResponsePatch; cells: number } | null {
  const editable: EditableAnswers = response;
  const states = new Map<string, AnswerStates[string]>();
  for (const code of questionCodes) {
    const has = Object.hasOwn(row.answers, code);
    const answer = has ? row.answers[code]! : null;
    const now = Object.hasOwn(response.answers, code) ? response.answers[code] : null;
    // If the question has no answer before and after, the reason stays unchanged.
    if (answer === null && now === null) continue;
    states.set(code, has ? [answer] : []);
  }
  const edit = createEditPatch(editable, Object.fromEntries(states));
  const { status, statusReason } = row.metadata;
  const before: ResponsePatch = { ...edit?.before };
  const after: ResponsePatch = { ...edit?.after };
  if (hasStatus && status !== response.response_status) {
    Object.assign(before, { status: response.response_status, statusReason: response.status_reason });
    Object.assign(after, { status, statusReason });
  }
  if (response.deleted_at !== null) {
    before.deletedAt = response.deleted_at;
    after.deletedAt = null;
  }
  if (Object.keys(after).length === 0) return null;
  return { before, after, cells: Object.keys(edit?.after.answers ?? {}).length };
}

function newResponse(row: SpooledRow, into: WriteInto): NewResponse {
  const { metadata } = row;
  const givenStart = metadata.startedAt === null ? null : new Date(metadata.startedAt);
  const givenEnd = metadata.completedAt === null ? null : new Date(metadata.completedAt);
  // Without an end in the file a response ends now, but never before its start.
  const end = givenEnd ?? (givenStart !== null && givenStart > into.now ? givenStart : into.now);
  const completedAt = metadata.status === 'partial' ? null : end;
  const startedAt = givenStart ?? completedAt ?? into.now;
  const measuredSeconds =
    givenStart === null || givenEnd === null || givenEnd < givenStart
      ? null
      : (givenEnd.getTime() - givenStart.getTime()) / 1000;
  return {
    surveyId: into.surveyId,
    submissionId: metadata.submissionId,
    responseToken: into.ids.token(TOKEN_CHARACTERS),
    status: metadata.status,
    statusReason: metadata.statusReason,
    endReason: metadata.endReason ?? row.endReason,
    isTest: metadata.isTest ?? false,
    surveyVersion: into.surveyVersion,
    linkId: null,
    waveId: null,
    externalId: metadata.externalId,
    language: metadata.language,
    lastPageId: null,
    startedAt,
    completedAt,
    durationSeconds: metadata.durationSeconds ?? (into.hasDuration ? null : measuredSeconds),
    answers: withoutPrototype(row.answers),
    hidden: null,
  };
}

/** Without a prototype, as answers are stored: a code such as `constructor` is a plain key. */
const withoutPrototype = (answers: StoredAnswers): StoredAnswers =>
  Object.assign(Object.create(null) as StoredAnswers, answers);
