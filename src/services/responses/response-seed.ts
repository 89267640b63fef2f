import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { ResponseStatus } from '../../domain/responses/response-row.ts';
import { type GeneratedResponse, ResponseGenerator } from '../../domain/seeding/response-generator.ts';
import { surveySettingsOf } from '../../domain/survey/survey-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import { conflict } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import { hashOf } from '../../lib/seeded-random.ts';
import type { NewResponse } from '../../repositories/responses.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { PreparedDefinitionCache } from '../surveys/survey-definitions.ts';
import { lockSurvey } from '../surveys/survey-lock.ts';

const TOKEN_CHARACTERS = 32;
/** Responses generated before yielding to the event loop. */
const ROWS_PER_TURN = 50;
const ROWS_PER_STATEMENT = 500;
const WINDOW_MS = 14 * 24 * 60 * 60 * 1000;

interface SeedResult {
  created: number;
  seed: number;
  byStatus: Record<ResponseStatus, number>;
  /** Codes of questions that could not be answered. */
  skippedQuestions: readonly string[];
}

/** Generates test responses, for trying out figures before the field phase. */
export class ResponseSeedService {
  constructor(
    private readonly store: Store,
    private readonly definitions: PreparedDefinitionCache,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Writes all responses or none. `seed` null: a random seed. */
  async add(scope: SurveyScope, count: number, seed: number | null): Promise<SeedResult> {
    const state = await this.store.read.surveys.findState(scope.surveyId);
    if (state?.published_version == null) {
      // A draft may still change, even in the types of its questions, which would leave answers in an old format.
      throw conflict('survey_not_published', 'Publish the survey first; use a preview to try out a draft');
    }
    const { definition } = await this.definitions.loadPublished(scope.surveyId, state.published_version);
    const { default_language: own, languages } = surveySettingsOf(state.survey_settings);
    const chosen = seed ?? hashOf(this.ids.token(TOKEN_CHARACTERS)) >>> 1;
    const others = new Set(languages.filter((language) => language !== own));
    const generator = new ResponseGenerator(definition, chosen, [own, ...others]);
    const byStatus: SeedResult['byStatus'] = { complete: 0, partial: 0, screened_out: 0 };
    const responses: NewResponse[] = [];
    const now = this.clock.now().getTime();
    for (let index = 0; index < count; index++) {
      if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
      const generated = generator.generate(index);
      byStatus[generated.status] += 1;
      responses.push(
        this.newResponse({ surveyId: scope.surveyId, version: definition.version, generated, now }),
      );
    }
    await this.store.transaction(async (repositories) => {
      for (let start = 0; start < count; start += ROWS_PER_STATEMENT)
        await repositories.responses.insertMany(responses.slice(start, start + ROWS_PER_STATEMENT));
      await recordAudit({ repositories, scope, action: 'seeded', details: { created: count, seed: chosen } });
    });
    return { created: count, seed: chosen, byStatus, skippedQuestions: generator.unansweredCodes };
  }

  /** A regular deletion, so that datasets and synchronized copies are updated. */
  async remove(scope: SurveyScope): Promise<void> {
    await this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const removalId = await repositories.dataChanges.reserveId();
      const removed = await repositories.responses.deleteSeeded(scope.surveyId, removalId);
      await recordAudit({ repositories, scope, action: 'seed_removed', details: { removed } });
    });
  }

  private newResponse({
    surveyId,
    version,
    generated,
    now,
  }: {
    surveyId: number;
    version: number;
    generated: GeneratedResponse;
    now: number;
  }): NewResponse {
    const durationMs = generated.durationSeconds * 1000;
    const startedAt =
      now - WINDOW_MS + generated.relativeTime * (WINDOW_MS - Math.min(durationMs, WINDOW_MS));
    const hasEnded = generated.status !== 'partial';
    return {
      surveyId,
      submissionId: null,
      responseToken: this.ids.token(TOKEN_CHARACTERS),
      status: generated.status,
      statusReason: generated.statusReason,
      endReason: generated.endReason,
      isTest: true,
      isSeeded: true,
      surveyVersion: version,
      linkId: null,
      waveId: null,
      externalId: null,
      language: generated.language,
      lastPageId: generated.lastPageId,
      startedAt: new Date(startedAt),
      completedAt: hasEnded ? new Date(startedAt + durationMs) : null,
      durationSeconds: hasEnded ? generated.durationSeconds : null,
      answers: generated.answers,
      presentation: generated.presentation,
      hidden: null,
    };
  }
}

function recordAudit({
  repositories,
  scope,
  action,
  details,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  action: string;
  details: Record<string, number>;
}): Promise<void> {
  return repositories.audit.record({
    by: scope,
    action: `responses.${action}`,
    objectType: 'survey',
    objectId: scope.surveyId,
    details,
  });
}
