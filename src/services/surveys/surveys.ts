import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../domain/access/caller.ts';
import type { SurveyScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import type { Arrangement } from '../../domain/survey/blocks.ts';
import type { Question, SurveyDefinition } from '../../domain/survey/definition.ts';
import { carriedQuestions } from '../../domain/survey/previous-questions.ts';
import { lookOf, lookSources } from '../../domain/survey/look.ts';
import {
  attentionCheckQuestions,
  changeQualitySettings,
  type QualitySettingsChanges,
  qualitySettingsOf,
} from '../../domain/survey/quality-settings.ts';
import {
  pagesWithTranslations,
  surveySettingsOf,
  surveyStatusAt,
  withClosingTime,
} from '../../domain/survey/survey-settings.ts';
import {
  statusChangeProblem,
  SURVEY_STATUS,
  type SurveyStatus,
  type SurveyType,
} from '../../domain/survey/status.ts';
import {
  findAnonymityProblems,
  findUndeclaredValues,
  undeclaredValue,
} from '../../domain/survey/publishing/anonymity-check.ts';
import type { TranslationSources } from '../../domain/questions/question.ts';
import { listSurveyTexts } from '../../domain/survey/translations/translatable-texts.ts';
import {
  findUnknownConfirmed,
  type TranslationPaths,
  updateTranslationSources,
} from '../../domain/survey/translations/translation-sources.ts';
import type { Clock } from '../../lib/clock.ts';
import { coalesceCalls } from '../../lib/concurrency.ts';
import { cannotChange, formatList, unknownObject, unknownValue } from '../../lib/error-messages.ts';
import { conflict, invalid, invalidFields, notFound, type Precondition } from '../../lib/errors.ts';
import { mergeSettings } from '../../lib/settings.ts';
import { getTimeZone, TIME_ZONE_EXPECTED, type TimeZone } from '../../lib/time-zone.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import { WHOLE_SURVEY } from '../../repositories/reservations.ts';
import type { Store } from '../../repositories/store.ts';
import type { ListedSurveyRow, SurveyFields, SurveyListing, SurveyRow } from '../../repositories/surveys.ts';
import type { AccessService } from '../access.ts';
import { RESERVATION_TTL_SECONDS } from '../collection/link-reservations.ts';
import type { DeletedRetention } from '../deleted-retention.ts';
import type { DraftDefinitionCache, SerializeDefinition } from './survey-definitions.ts';
import { checkContrast } from '../check-contrast.ts';
import { lockSurvey, signalSurveyChange, surveyAuditEntry, surveyObject } from './survey-lock.ts';
import { type SurveyContentInput, addContent } from './survey-content.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Fields that respondents see as they were when the survey was published. */
const VERSIONED = ['survey_name', 'survey_description', 'survey_arrangement'] as const;

const MAX_LISTED_PAGES = 20;
const DAY_MS = 24 * 60 * 60 * 1000;
const ACTIVITY_DAYS = 14;

const QUARTER_MS = 15 * 60 * 1000;

/** The last days until today in a time zone, in days since 1970. */
function lastDays(now: Date, zone: TimeZone): number[] {
  const today = Math.floor(zone.wallClockMs(now.getTime()) / DAY_MS);
  return Array.from({ length: ACTIVITY_DAYS }, (_, index) => today - ACTIVITY_DAYS + 1 + index);
}

/** Where the days begin and the last one ends, in quarters of an hour since 1970 UTC. Local days begin at a quarter of an hour. */
const startsOfDays = (days: readonly number[], zone: TimeZone): number[] =>
  [...days, Math.max(...days) + 1].map((day) => Math.floor(zone.instantMs(day * DAY_MS) / QUARTER_MS));

interface DailyCompletes {
  /** YYYY-MM-DD in the time zone of the survey. */
  day: string;
  complete_count: number;
}

/**
 * Throws 400 if attention checks name an unknown question; checks stored before may name a deleted one. `at`: path of
 * the settings in the request.
 */
export async function checkNamedQuestions({
  repositories,
  scope,
  before,
  changes,
  at,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  before: Settings;
  changes: QualitySettingsChanges | null | undefined;
  at: '' | 'quality_settings.';
}): Promise<void> {
  const named = (changes?.attention_checks ?? []).map((check) => check.question_id);
  if (named.length === 0) return;
  const known = await repositories.questions.filterExisting(scope, named);
  for (const id of attentionCheckQuestions(before)) known.add(id);
  const problems = named.flatMap((id, index) =>
    known.has(id)
      ? []
      : [
          {
            field: `${at}attention_checks[${index}].question_id`,
            message: unknownObject({ kind: 'question', idOrCode: id, scope: 'in this survey' }),
          },
        ],
  );
  if (problems.length > 0) throw invalidFields(problems);
}

/**
 * Throws 400 if the database does not know the time zone, which it uses to round times to days; its time zone data
 * may be older than Node's.
 */
export async function checkTimeZone(
  { surveys }: Repositories,
  before: Settings,
  changes: Settings | null | undefined,
): Promise<void> {
  const name = changes?.['timezone'];
  if (typeof name !== 'string' || name === before['timezone'] || (await surveys.isTimeZone(name))) return;
  throw invalid(
    'survey_settings.timezone',
    `${unknownValue(name, 'a time zone of the database')}; ${TIME_ZONE_EXPECTED}`,
  );
}

/** Throws 400 if a changed color has too little contrast, with the look of the workspace where the survey sets none. */
async function checkColors(
  { workspaces }: Repositories,
  { before, after }: { before: SurveyRow; after: SurveyFields },
): Promise<void> {
  const look = await workspaces.readLook(after.workspace_id);
  checkContrast(
    { ...look, ...after.survey_settings },
    { before: { ...look, ...before.survey_settings }, path: 'survey_settings' },
  );
}

/**
 * Throws 409 if the published version or a quota of a survey that is anonymous after the change would show who answers. The draft is checked
 * when it is published.
 */
async function checkAnonymousContents(
  { definitions, quotas }: Repositories,
  { surveyId }: SurveyScope,
  stored: Settings,
  publishedVersion: number | null,
): Promise<void> {
  const settings = surveySettingsOf(stored);
  if (!settings.anonymous) return;
  const published =
    publishedVersion === null ? null : await definitions.findPublished(surveyId, publishedVersion);
  const inQuotas = findUndeclaredValues(await quotas.listConditions(surveyId), settings);
  const problems = [
    ...(published === null ? [] : findAnonymityProblems(published, settings)),
    ...inQuotas.map((name) => ({
      code: 'undeclared_value',
      field: 'quotas',
      message: undeclaredValue(name),
    })),
  ];
  const [first] = problems;
  if (first === undefined) return;
  throw conflict(
    first.code,
    `survey_settings.anonymous: the published survey or its quotas would show who answers: ${first.message}`,
    problems.map(({ field, message }) => ({ field, message })),
  );
}

/**
 * Respondents of an anonymous survey were promised that only the day of their answers is shown, while exact times are
 * stored. So once the survey has responses (also deleted ones, which can be restored), `anonymous` cannot be switched
 * off, and `timezone` cannot change: the days of several zones together narrow a time down to an hour or less. Throws
 * 409.
 */
async function checkAnonymous({
  repositories: { responses },
  surveyScope: { surveyId },
  before,
  after,
}: {
  repositories: Repositories;
  surveyScope: SurveyScope;
  before: Settings;
  after: Settings;
}): Promise<void> {
  const [old, changed] = [surveySettingsOf(before), surveySettingsOf(after)];
  if (!old.anonymous) return;
  const isSwitchedOff = !changed.anonymous;
  if (!isSwitchedOff && changed.timezone === old.timezone) return;
  if (!(await responses.hasReal(surveyId))) return;
  if (isSwitchedOff)
    throw conflict(
      'anonymous_promised',
      `survey_settings.anonymous: ${cannotChange('respondents of this survey were promised anonymity')}; duplicate the survey to collect without it`,
      [
        {
          field: 'survey_settings.anonymous',
          message: cannotChange('the survey has responses'),
        },
      ],
    );
  throw conflict(
    'anonymous_promised',
    `survey_settings.timezone: ${cannotChange(`the times of the anonymous responses are shown as days in ${old.timezone}`)}; ` +
      'duplicate the survey to collect in another time zone',
    [
      {
        field: 'survey_settings.timezone',
        message: cannotChange('the anonymous survey has responses'),
      },
    ],
  );
}

/**
 * Throws 400 if translations name a page that does not exist and was not named before. A new survey has no pages yet.
 */
async function checkNamedPages({
  repositories,
  scope,
  before,
  changes,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  before: Settings;
  changes: Settings | null | undefined;
}): Promise<void> {
  const named = pagesWithTranslations(changes ?? {});
  if (named.length === 0) return;
  const known = new Set((await repositories.questions.listPages(scope)).map((page) => page.page_id));
  for (const { pageId } of pagesWithTranslations(before)) known.add(pageId);
  const problems = named
    .filter(({ pageId }) => !known.has(pageId))
    .map(({ language, pageId }) => ({
      field: `survey_settings.translations.${language}.pages.${pageId}`,
      message:
        known.size === 0
          ? `${unknownObject({ kind: 'page', idOrCode: pageId, scope: 'in this survey' })}; create it, then translate page titles by page_id with PUT /api/surveys/:id`
          : unknownObject({
              kind: 'page',
              idOrCode: pageId,
              scope: 'in this survey',
              alternatives: {
                accepted: formatList([...known], MAX_LISTED_PAGES, String),
              },
            }),
    }));
  if (problems.length > 0) throw invalidFields(problems);
}

/** Throws 400 if the survey with the earlier answers is not in the workspace, which the author can read. */
async function checkPreviousSurvey(
  { surveys }: Repositories,
  workspaceId: number,
  before: Settings,
  after: Settings,
): Promise<void> {
  const { previous_survey_id: surveyId } = surveySettingsOf(after);
  if (surveyId === null || surveyId === surveySettingsOf(before).previous_survey_id) return;
  if ((await surveys.findState(surveyId))?.workspace_id === workspaceId) return;
  throw invalid(
    'survey_settings.previous_survey_id',
    unknownObject({ kind: 'survey', idOrCode: surveyId, scope: 'in this workspace' }),
  );
}

/** undefined: unchanged; null: the default. */
interface SurveyChanges {
  name?: string | undefined;
  description?: string | null | undefined;
  status?: SurveyStatus | undefined;
  type?: SurveyType | undefined;
  workspaceId?: number | undefined;
  settings?: Record<string, unknown> | null | undefined;
  qualitySettings?: QualitySettingsChanges | null | undefined;
  arrangement?: Arrangement | null | undefined;
  /** Translations that belong to the current texts. */
  confirmedTranslations?: TranslationPaths | null | undefined;
}

/** Returns what is known of outdated translations after a change of the survey's own texts or translations. */
export function changedSources(
  before: SurveyRow,
  after: Pick<SurveyRow, 'survey_name' | 'survey_description' | 'survey_settings'>,
  confirmed?: TranslationPaths | null,
): TranslationSources {
  const textsOf = (row: typeof after) =>
    listSurveyTexts({ name: row.survey_name, description: row.survey_description }, row.survey_settings);
  return updateTranslationSources({
    before: { texts: textsOf(before), translations: before.survey_settings.translations },
    after: { texts: textsOf(after), translations: after.survey_settings.translations },
    sources: before.translation_sources,
    confirmed,
  });
}

export class SurveyService {
  private readonly findSurvey: (key: string) => Promise<SurveyRow | undefined>;

  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    private readonly drafts: DraftDefinitionCache,
    private readonly clock: Clock,
    private readonly retention: DeletedRetention,
  ) {
    this.findSurvey = coalesceCalls((keys) => store.detached(() => store.read.surveys.findByKeys(keys)));
  }

  list(
    scope: WorkspaceScope,
    listing: Omit<SurveyListing, 'deletedAfter'>,
  ): Promise<{ rows: ListedSurveyRow[]; total: number }> {
    return this.store.read.surveys.list(scope, {
      ...listing,
      deletedAfter: this.retention.restorableSince(),
    });
  }

  /** Returns the complete responses of each of the last 14 days, oldest first, by survey: days in the time zone of the survey. */
  async listActivity(
    surveys: readonly Pick<ListedSurveyRow, 'survey_id' | 'survey_settings'>[],
  ): Promise<Map<number, DailyCompletes[]>> {
    const now = this.clock.now();
    const daysOf = new Map(
      surveys.map((survey) => {
        const zone = getTimeZone(surveySettingsOf(survey.survey_settings).timezone);
        const days = lastDays(now, zone);
        return [survey.survey_id, { days, starts: startsOfDays(days, zone) }];
      }),
    );
    const found = await this.store.read.surveys.listCompletesByPeriod(
      new Map([...daysOf].map(([surveyId, { starts }]) => [surveyId, starts])),
    );
    const counts = new Map(found.map((row) => [`${row.survey_id} ${row.period}`, row.complete_count]));
    return new Map(
      [...daysOf].map(([surveyId, { days }]) => [
        surveyId,
        days.map((day, period) => ({
          day: new Date(day * DAY_MS).toISOString().slice(0, 10),
          complete_count: counts.get(`${surveyId} ${period}`) ?? 0,
        })),
      ]),
    );
  }

  async get(scope: SurveyScope): Promise<SurveyRow> {
    const row = await this.findSurvey(`${scope.organizationId}:${scope.surveyId}`);
    if (row === undefined) throw notFound('survey');
    return row;
  }

  /** The current time, which determines whether a survey is open. */
  now(): Date {
    return this.clock.now();
  }

  /** Returns the status for respondents now: an active survey is closed from its closing time on. */
  async getStatus(scope: SurveyScope): Promise<SurveyStatus> {
    const { survey_status: status, survey_settings: settings } = await this.get(scope);
    return surveyStatusAt(status, settings, this.clock.now());
  }

  /** Returns the time zone of the survey's dates. */
  async timeZone({ surveyId }: SurveyScope): Promise<TimeZone> {
    return getTimeZone(await this.store.read.surveys.findTimeZone(surveyId));
  }

  async getWithDefinition(scope: SurveyScope): Promise<{ survey: SurveyRow; definition: SurveyDefinition }> {
    const survey = await this.get(scope);
    return { survey, definition: await this.drafts.loadAt(survey.survey_id, survey.revision) };
  }

  /** Returns the survey and its definition, serialized by `write`. */
  async getSerialized(
    scope: SurveyScope,
    write: SerializeDefinition,
  ): Promise<{ survey: SurveyRow; definition: Buffer }> {
    const survey = await this.get(scope);
    return {
      survey,
      definition: await this.drafts.loadSerialized(survey.survey_id, survey.revision, write),
    };
  }

  async create(
    scope: WorkspaceScope,
    input: {
      name: string;
      description: string | null;
      type: SurveyType;
      settings: Record<string, unknown>;
      qualitySettings: QualitySettingsChanges | null;
      content: SurveyContentInput;
    },
  ): Promise<{ survey: SurveyRow; definition: SurveyDefinition }> {
    return this.store.transaction(async (repositories) => {
      await checkTimeZone(repositories, {}, input.settings);
      const settings = mergeSettings({}, input.settings);
      await checkPreviousSurvey(repositories, scope.workspaceId, {}, settings);
      const look = await repositories.workspaces.readLook(scope.workspaceId);
      checkContrast({ ...look, ...settings }, { before: look, path: 'survey_settings' });
      const row = await repositories.surveys.create(scope, {
        survey_name: input.name,
        survey_description: input.description,
        survey_type: input.type,
        survey_settings: withClosingTime(settings, surveySettingsOf(settings).timezone),
        translation_sources: {},
        quality_settings: changeQualitySettings({}, input.qualitySettings),
        survey_arrangement: null,
      });
      const created = { ...scope, surveyId: row.survey_id };
      await setResponseLimit(repositories, created, {
        before: {},
        after: row.survey_settings,
        now: this.clock.now(),
      });
      await checkNamedQuestions({
        repositories,
        scope: created,
        before: {},
        changes: input.qualitySettings,
        at: 'quality_settings.',
      });
      await checkNamedPages({ repositories, scope: created, before: {}, changes: input.settings });
      await addContent(repositories, created, input.content);
      await repositories.audit.record(surveyAuditEntry(created, 'created'));
      return { survey: row, definition: await repositories.definitions.loadDraft(row.survey_id) };
    });
  }

  /** `qualityAt`: path of the quality settings in the request. */
  async update({
    caller,
    scope,
    changes,
    qualityAt = 'quality_settings.',
    precondition,
  }: {
    caller: Caller;
    scope: SurveyScope;
    changes: SurveyChanges;
    qualityAt?: '' | 'quality_settings.' | undefined;
    precondition?: Precondition<SurveyRow> | undefined;
  }): Promise<SurveyRow> {
    return surveyObject.update({
      store: this.store,
      access: this.access,
      caller,
      scope,
      workspaceId: changes.workspaceId,
      apply: async (before, repositories) => {
        precondition?.(before);
        const after = this.applyChanges(before, changes);
        await checkTimeZone(repositories, before.survey_settings, changes.settings);
        await checkColors(repositories, { before, after });
        await checkPreviousSurvey(
          repositories,
          after.workspace_id,
          before.survey_settings,
          after.survey_settings,
        );
        await checkAnonymous({
          repositories,
          surveyScope: scope,
          before: before.survey_settings,
          after: after.survey_settings,
        });
        if (changes.settings !== undefined)
          await checkAnonymousContents(repositories, scope, after.survey_settings, before.published_version);
        const { quality_settings: rules } = before;
        await checkNamedQuestions({
          repositories,
          scope,
          before: rules,
          changes: changes.qualitySettings,
          at: qualityAt,
        });
        await checkNamedPages({
          repositories,
          scope,
          before: before.survey_settings,
          changes: changes.settings,
        });
        return after;
      },
      save: async (repositories, { before, after, changed }) => {
        const previousOf = (row: SurveyFields) => surveySettingsOf(row.survey_settings).previous_survey_id;
        const isVersioned =
          VERSIONED.some((field) => changed.includes(field)) || previousOf(before) !== previousOf(after);
        await repositories.surveys.save(scope, after, isVersioned);
        const settings = surveySettingsOf(after.survey_settings);
        if (settings.anonymous && !surveySettingsOf(before.survey_settings).anonymous)
          await repositories.anonymization.anonymize(scope.surveyId, {
            dayZone: settings.timezone,
            hiddenNames: settings.hidden_values,
          });
        await setResponseLimit(repositories, scope, {
          before: before.survey_settings,
          after: after.survey_settings,
          now: this.clock.now(),
        });
      },
    });
  }

  /** Returns the look that respondents see, and where each value comes from. */
  async getLook(scope: SurveyScope) {
    const { survey_settings: settings } = await this.get(scope);
    const look = await this.store.read.workspaces.readLook(scope.workspaceId);
    return { look: lookOf({ ...look, ...settings }), sources: lookSources(settings, look) };
  }

  /** Returns the questions whose earlier answers the survey can use; none if the workspace does not have the survey of the settings. */
  async listPreviousQuestions(scope: SurveyScope): Promise<Question[]> {
    const { survey, definition } = await this.getWithDefinition(scope);
    const { previous_survey_id: surveyId } = surveySettingsOf(survey.survey_settings);
    const source =
      surveyId === null
        ? definition
        : await this.store.read.definitions.findNewest(surveyId, survey.workspace_id);
    return source === null ? [] : carriedQuestions(source);
  }

  /** Deletes a survey: it is hidden with its data, which are not removed. */
  async delete(scope: SurveyScope, precondition?: Precondition<SurveyRow>): Promise<void> {
    await this.store.transaction(async (repositories) => {
      const row = await lockSurvey(repositories, scope);
      precondition?.(row);
      await repositories.surveys.delete(scope, this.retention.now());
      await repositories.audit.record(surveyAuditEntry(scope, 'deleted'));
      await signalSurveyChange(repositories, { scope, action: 'deleted', revision: row.revision });
    });
  }

  /** Restores a deleted survey with its status. Throws 404 if it was deleted too long ago. */
  async restore(scope: SurveyScope): Promise<SurveyRow> {
    return this.store.transaction(async (repositories) => {
      const { surveys } = repositories;
      const row = await surveys.lockDeleted(scope, this.retention.restorableSince());
      if (row?.workspace_id !== scope.workspaceId) throw notFound('deleted survey');
      await surveys.restore(scope);
      await repositories.audit.record(surveyAuditEntry(scope, 'restored'));
      return lockSurvey(repositories, scope);
    });
  }

  private applyChanges(row: SurveyRow, changes: SurveyChanges): SurveyFields {
    const status = changes.status ?? row.survey_status;
    const problem = statusChangeProblem(row.survey_status, status);
    if (problem !== null) throw conflict('illegal_transition', `survey_status: ${problem}`);
    const settings = changedSettings(row.survey_settings, changes.settings);
    const confirmed = changes.confirmedTranslations;
    const problems = findUnknownConfirmed(confirmed, settings.translations);
    if (problems.length > 0) throw invalidFields(problems);
    const closedNow = status === SURVEY_STATUS.closed ? (row.closed_at ?? this.clock.now()) : null;
    const texts = {
      survey_name: changes.name ?? row.survey_name,
      survey_description: changes.description === undefined ? row.survey_description : changes.description,
      survey_settings: settings,
    };
    return {
      workspace_id: changes.workspaceId ?? row.workspace_id,
      ...texts,
      translation_sources: changedSources(row, texts, confirmed),
      survey_status: status,
      survey_type: changes.type ?? row.survey_type,
      quality_settings: changedQuality(row.quality_settings, changes.qualitySettings),
      survey_arrangement: changes.arrangement === undefined ? row.survey_arrangement : changes.arrangement,
      closed_at: closedNow,
    };
  }
}

type Stored = Record<string, unknown>;

/** Writes the response limit beside the responses, where their writers lock it. Started responses get a place in a new limit. */
async function setResponseLimit(
  { linkReservations }: Repositories,
  { surveyId }: Pick<SurveyScope, 'surveyId'>,
  { before, after, now }: { before: Stored; after: Stored; now: Date },
): Promise<void> {
  const [old, limit] = [before, after].map((settings) => surveySettingsOf(settings).response_limit);
  if (old === limit || limit === undefined) return;
  await linkReservations.setSurveyLimit(surveyId, limit);
  if (old !== null || limit === null) return;
  const since = new Date(now.getTime() - RESERVATION_TTL_SECONDS * 1000);
  await linkReservations.reserveForStarted(
    { surveyId, linkId: WHOLE_SURVEY },
    since,
    RESERVATION_TTL_SECONDS,
  );
}

/** A client that sends all settings back unchanged has chosen none of them, so the stored values stay. */
function changedSettings(stored: Stored, changes: Stored | null | undefined): Stored {
  if (changes === undefined) return stored;
  const merged = changes === null ? {} : mergeSettings(stored, changes);
  const changed = withClosingTime(merged, surveySettingsOf(merged).timezone);
  return isDeepStrictEqual(surveySettingsOf(changed), surveySettingsOf(stored)) ? stored : changed;
}

function changedQuality(stored: Stored, changes: QualitySettingsChanges | null | undefined): Stored {
  if (changes === undefined) return stored;
  const changed = changeQualitySettings(stored, changes);
  return isDeepStrictEqual(qualitySettingsOf(changed), qualitySettingsOf(stored)) ? stored : changed;
}
