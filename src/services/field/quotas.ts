import type { WaveScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import { describeCondition, labelsFromQuestions } from '../../domain/survey/logic/describe-condition.ts';
import type { Condition } from '../../domain/survey/logic/condition.ts';
import { namesOfQuestions, readCondition } from '../../domain/survey/logic/read-condition.ts';
import { matchExistingCells, type QuotaDraft, quotaProblems } from '../../domain/quota/quota.ts';
import type { Question, SurveyDefinition } from '../../domain/survey/definition.ts';
import type { Clock } from '../../lib/clock.ts';
import { type ErrorDetail, invalidFields } from '../../lib/errors.ts';
import type { QuotaCellRow, QuotaCellSearch } from '../../repositories/quotas.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { lockSurvey } from '../surveys/survey-lock.ts';
import { QuotaRecount } from './quota-recount.ts';

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
    part: { after: number | null; skip: number; limit: number },
  ): Promise<{ found: DescribedQuotaCell[]; total: number }> {
    return this.store.snapshot(async (repositories) => {
      const found = await repositories.quotas.list(scope, search, part, this.clock.now());
      const total = await repositories.quotas.count(scope, search);
      return { found: await withRules(repositories, found), total };
    });
  }

  /** Replaces all quotas of the wave and recounts its complete responses. Reservations cannot change meanwhile. */
  replace(scope: WaveScope, inputs: readonly QuotaInput[], dryRun: boolean): Promise<DescribedQuotaCell[]> {
    return this.store.transactionOrDryRun(dryRun, (repositories) =>
      this.replaceWithin(repositories, scope, inputs),
    );
  }

  private async replaceWithin(
    repositories: Repositories,
    scope: WaveScope,
    inputs: readonly QuotaInput[],
  ): Promise<DescribedQuotaCell[]> {
    const { surveyId, waveId } = scope;
    await lockSurvey(repositories, scope);
    const definition = await repositories.definitions.draft(surveyId);
    const drafts = readConditions(inputs, definition);
    const problems = quotaProblems(drafts, questionsIn(definition));
    if (problems.length > 0) throw invalidFields(problems);
    await repositories.quotaReservations.lockWaves([waveId]);
    const before = await repositories.quotas.findByWave(surveyId, waveId);
    const { quotas, sameCells } = matchExistingCells(drafts, before.quotas);
    await repositories.quotas.replace(surveyId, waveId, quotas);
    if (!sameCells || before.revision === 0) {
      await repositories.quotas.lockUnevaluatedResponses(surveyId, waveId);
      await (await QuotaRecount.open(repositories, surveyId, [waveId], this.clock)).recountWave(waveId);
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
      const read = readCondition(cell.condition, names, field, {
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

async function withRules(
  { definitions }: Repositories,
  cells: readonly QuotaCellRow[],
): Promise<DescribedQuotaCell[]> {
  const questionsOf = new Map<number, ReturnType<typeof questionsIn>>();
  for (const surveyId of new Set(cells.map((cell) => cell.survey_id))) {
    questionsOf.set(surveyId, questionsIn(await definitions.draft(surveyId)));
  }
  return cells.map((cell) => ({
    ...cell,
    rule: describeCondition(cell.condition, labelsFromQuestions(questionsOf.get(cell.survey_id)!)),
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
