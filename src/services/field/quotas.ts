import { retryOnSerializationFailure } from '../../db/transactions.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WaveScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import {
  allocateCells,
  type CellOccupancy,
  createPartialOperands,
  matchQuotas,
} from '../../domain/quota/allocate-cells.ts';
import {
  cellsOf,
  matchExistingCells,
  type Quota,
  type QuotaDraft,
  quotaProblems,
} from '../../domain/quota/quota.ts';
import type { Question, SurveyDefinition } from '../../domain/survey/definition.ts';
import type { Condition } from '../../domain/questions/condition.ts';
import { describeCondition, labelsFromQuestions } from '../../domain/survey/logic/describe-condition.ts';
import { namesOfQuestions, readCondition } from '../../domain/survey/logic/read-condition.ts';
import { expandDefinition } from '../../domain/survey/expand-definition.ts';
import { prepareDefinition } from '../../domain/survey/logic/prepare-definition.ts';
import { NO_RESPONDENT_CONTEXT } from '../../domain/survey/logic/evaluate-logic.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import type { Clock } from '../../lib/clock.ts';
import { findUndeclaredValues, undeclaredValue } from '../../domain/survey/publishing/anonymity-check.ts';
import { type SurveySettings, surveySettingsOf } from '../../domain/survey/survey-settings.ts';
import { type ErrorDetail, invalidFields } from '../../lib/errors.ts';
import { requireEntry } from '../../lib/require-value.ts';
import type { IdPage } from '../../repositories/list-queries.ts';
import type { CountedRow, QuotaCellRow, QuotaCellSearch } from '../../repositories/quotas.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { lockSurvey } from '../surveys/survey-lock.ts';

const ROWS_PER_CHUNK = 2_000;
const ROWS_PER_TURN = 200;

/**
 * Assigns complete responses to quota cells after an edit or a change of quotas. A response stays in its cell while
 * the cell still fits; stored responses count even beyond a target. The caller has locked the survey.
 */
export class QuotaRecount {
  private constructor(
    private readonly repositories: Repositories,
    private readonly surveyId: number,
    private readonly quotas: ReadonlyMap<number, readonly Quota[]>,
    private readonly prepared: PreparedDefinition,
    private readonly clock: Clock,
  ) {}

  /** Locks these waves until the transaction ends. */
  static async open({
    repositories,
    surveyId,
    waveIds,
    clock,
  }: {
    repositories: Repositories;
    surveyId: number;
    waveIds: readonly number[];
    clock: Clock;
  }): Promise<QuotaRecount> {
    await repositories.quotaReservations.lockWaves({ surveyId, waveIds });
    const quotas = new Map<number, readonly Quota[]>();
    for (const waveId of waveIds)
      quotas.set(waveId, (await repositories.quotas.findByWave(surveyId, waveId)).quotas);
    const prepared = prepareDefinition(await repositories.definitions.loadDraft(surveyId));
    return new QuotaRecount(repositories, surveyId, quotas, prepared, clock);
  }

  /** Recounts changed responses. */
  async recountResponses(responseIds: readonly number[]): Promise<void> {
    const { quotas } = this.repositories;
    for (let start = 0; start < responseIds.length; start += ROWS_PER_CHUNK) {
      const ids = responseIds.slice(start, start + ROWS_PER_CHUNK);
      await quotas.releaseEndedReservations(this.surveyId, ids);
      await this.recount(await quotas.listCountedResponses(this.surveyId, [...this.quotas.keys()], ids));
    }
  }

  /** Recounts a wave after its quotas changed. */
  async recountWave(waveId: number): Promise<void> {
    const { quotas } = this.repositories;
    let afterId = 0;
    for (;;) {
      const rows = await quotas.listCountedOfWave({
        surveyId: this.surveyId,
        waveId,
        afterId,
        limit: ROWS_PER_CHUNK,
      });
      await this.recount(rows);
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS_PER_CHUNK) return;
      afterId = last.response_id;
    }
  }

  private async recount(rows: readonly CountedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { quotaReservations, quotas } = this.repositories;
    const waveIds = [...new Set(rows.map((row) => row.wave_id))].sort((a, b) => a - b);
    const cellIds = waveIds.flatMap((waveId) =>
      cellsOf(requireEntry(this.quotas, waveId, 'wave')).map(({ cellId }) => cellId),
    );
    const usage = await quotaReservations.readUsage(
      { surveyId: this.surveyId, waveIds },
      cellIds,
      this.clock.now(),
    );
    const changed: { responseId: number; cellIds: number[] }[] = [];
    for (const [index, row] of rows.entries()) {
      if (index > 0 && index % ROWS_PER_TURN === 0) await nextTurn();
      const before = row.quota_cells ?? [];
      const after = this.assignCells(row, usage);
      if (hasSameCells(before, after)) continue;
      for (const cellId of before) adjustCount(usage, cellId, -1);
      for (const cellId of after) adjustCount(usage, cellId, 1);
      changed.push({ responseId: row.response_id, cellIds: after });
    }
    await quotas.saveRecount(this.surveyId, changed);
  }

  private assignCells(row: CountedRow, usage: ReadonlyMap<number, CellOccupancy>): number[] {
    const background = {
      ...NO_RESPONDENT_CONTEXT,
      hidden: new Map(Object.entries(row.hidden ?? {})),
      respondent: row.attributes === null ? null : { name: null, attributes: row.attributes },
    };
    const operandOf = createPartialOperands({
      preparedDefinition: this.prepared,
      answers: row.answers,
      context: background,
      submittedPageId: null,
    });
    const fits = matchQuotas(requireEntry(this.quotas, row.wave_id, 'wave'), operandOf);
    return allocateCells({ fits, reservedIds: new Set(row.quota_cells), occupancy: usage, end: 'counted' })
      .cellIds;
  }
}

const hasSameCells = (before: readonly number[], after: readonly number[]): boolean =>
  before.length === after.length && after.every((cellId) => before.includes(cellId));

function adjustCount(usage: Map<number, CellOccupancy>, cellId: number, change: number): void {
  const counts = usage.get(cellId);
  if (counts !== undefined) usage.set(cellId, { ...counts, completed: counts.completed + change });
}

/** Maximum comparisons in the condition of one cell. */
const MAX_COMPARISONS = 1_000;
const MAX_PROBLEMS = 100;
const EVERY_RESPONSE: Condition = { connector: 'and', conditions: [] };

/** A quota as the client sends it; the conditions of its cells are not parsed yet. */
export type QuotaInput = Omit<QuotaDraft, 'cells'> & {
  cells: readonly (Omit<QuotaDraft['cells'][number], 'condition'> & { condition: unknown })[];
};

/** A cell with its counts and a description of its condition. */
export type DescribedQuotaCell = QuotaCellRow & { rule: string };

/** The quotas of waves. */
export class QuotaService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Returns every cell of the wave, in order. */
  get(scope: WaveScope): Promise<DescribedQuotaCell[]> {
    return this.store.snapshot((repositories) => this.listCells(repositories, scope));
  }

  /** Returns cells of a workspace; `total` counts all matches. */
  list(
    scope: WorkspaceScope,
    search: QuotaCellSearch,
    page: IdPage,
  ): Promise<{ found: DescribedQuotaCell[]; total: number }> {
    return this.store.snapshot(async (repositories) => {
      const found = await repositories.quotas.list(scope, { ...search, now: this.clock.now() }, page);
      const total = await repositories.quotas.count(scope, search);
      return { found: await withRules(repositories, found), total };
    });
  }

  /** Replaces all quotas of the wave and recounts its complete responses. Reservations cannot change meanwhile. */
  replace(scope: WaveScope, inputs: readonly QuotaInput[], dryRun: boolean): Promise<DescribedQuotaCell[]> {
    return retryOnSerializationFailure(() =>
      this.store.transactionOrDryRun(dryRun, (repositories) =>
        this.replaceWithin(repositories, scope, inputs),
      ),
    );
  }

  private async replaceWithin(
    repositories: Repositories,
    scope: WaveScope,
    inputs: readonly QuotaInput[],
  ): Promise<DescribedQuotaCell[]> {
    const { surveyId, waveId } = scope;
    const survey = await lockSurvey(repositories, scope);
    const definition = expandDefinition(await repositories.definitions.loadDraft(surveyId));
    const drafts = readConditions(inputs, definition);
    const problems = [
      ...quotaProblems(drafts, questionsIn(definition)),
      ...undeclaredValueProblems(drafts, surveySettingsOf(survey.survey_settings)),
    ];
    if (problems.length > 0) throw invalidFields(problems);
    await repositories.quotaReservations.lockWaveForQuotas(surveyId, waveId);
    const before = await repositories.quotas.findByWave(surveyId, waveId);
    const { quotas, sameCells } = matchExistingCells(drafts, before.quotas);
    await repositories.quotas.replace(surveyId, waveId, quotas);
    if (!sameCells || before.revision === 0) {
      await repositories.quotas.lockUnevaluatedResponses(surveyId, waveId);
      await (
        await QuotaRecount.open({ repositories, surveyId, waveIds: [waveId], clock: this.clock })
      ).recountWave(waveId);
    }
    await repositories.audit.record({
      by: scope,
      action: 'wave.quotas_set',
      objectType: 'wave',
      objectId: waveId,
      details: {
        quotas: drafts.map(({ name, mode, cells }) => ({
          quota_name: name,
          mode,
          cells: cells.length,
          target: cells.reduce((sum, { target }) => sum + (target ?? 0), 0),
        })),
      },
    });
    return this.listCells(repositories, scope);
  }

  private async listCells(
    repositories: Repositories,
    { surveyId, waveId }: WaveScope,
  ): Promise<DescribedQuotaCell[]> {
    return withRules(repositories, await repositories.quotas.listCells(surveyId, waveId, this.clock.now()));
  }
}

/** Returns the quotas with parsed conditions: short forms, ids and labels become codes and option values. */
function readConditions(quotas: readonly QuotaInput[], definition: SurveyDefinition): QuotaDraft[] {
  const names = namesOfQuestions(definition);
  const problems: ErrorDetail[] = [];
  const drafts = quotas.map((quota, index) => ({
    ...quota,
    cells: quota.cells.map((cell, cellIndex) => {
      const field = `quotas[${index}].cells[${cellIndex}].condition`;
      const read = readCondition(cell.condition, names, {
        field,
        shortFormType: 'question',
        maxComparisons: MAX_COMPARISONS,
      });
      if (!read.ok) problems.push(...read.problems);
      return { ...cell, condition: read.ok ? read.condition : EVERY_RESPONSE };
    }),
  }));
  if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_PROBLEMS));
  return drafts;
}

function undeclaredValueProblems(quotas: readonly QuotaDraft[], settings: SurveySettings): ErrorDetail[] {
  return quotas.flatMap(({ cells }, index) =>
    cells.flatMap(({ condition }, cellIndex) =>
      findUndeclaredValues(condition, settings).map((name) => ({
        field: `quotas[${index}].cells[${cellIndex}].condition`,
        message: undeclaredValue(name),
      })),
    ),
  );
}

async function withRules(
  { definitions }: Repositories,
  cells: readonly QuotaCellRow[],
): Promise<DescribedQuotaCell[]> {
  const questionsOf = new Map<number, ReturnType<typeof questionsIn>>();
  for (const surveyId of new Set(cells.map((cell) => cell.survey_id))) {
    questionsOf.set(surveyId, questionsIn(expandDefinition(await definitions.loadDraft(surveyId))));
  }
  return cells.map((cell) => ({
    ...cell,
    rule: describeCondition(
      cell.condition,
      labelsFromQuestions(requireEntry(questionsOf, cell.survey_id, 'survey')),
    ),
  }));
}

/** Returns a lookup of questions by code; questions on retired pages count as retired. */
function questionsIn({ pages }: SurveyDefinition): (code: string) => Question | undefined {
  const byCode = new Map(
    pages.flatMap((page) =>
      page.questions.map(
        (question) => [question.code, page.retired ? { ...question, retired: true } : question] as const,
      ),
    ),
  );
  return (code) => byCode.get(code);
}
