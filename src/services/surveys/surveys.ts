import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../domain/access/caller.ts';
import type { SurveyScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import { SURVEY_STATUS, statusChangeProblem, type SurveyStatus } from '../../domain/survey/status.ts';
import {
  changeQualitySettings,
  type QualitySettingsChanges,
  qualitySettingsOf,
} from '../../domain/survey/settings/quality-settings.ts';
import { surveySettingsOf } from '../../domain/survey/settings/survey-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import { coalesceCalls } from '../../lib/concurrency.ts';
import { conflict, notFound } from '../../lib/errors.ts';
import { mergeSettings } from '../../lib/settings.ts';
import { type TimeZone, getTimeZone } from '../../lib/time-zone.ts';
import type { Store } from '../../repositories/store.ts';
import type {
  ListedSurveyRow,
  SurveyFields,
  SurveyListing,
  SurveyRow,
  SurveyType,
} from '../../repositories/surveys.ts';
import type { AccessService } from '../access.ts';
import type { DraftDefinitionCache, SerializeDefinition } from './draft-definition-cache.ts';
import { addContent, type SurveyContentInput } from './survey-content.ts';
import { recordMove } from '../workspaces/moves.ts';
import {
  checkAnonymous,
  checkNamedPages,
  checkNamedQuestions,
  checkTimeZone,
} from './settings-references.ts';
import { lockSurvey, surveyAuditEntry } from './survey-lock.ts';

/** undefined: unchanged; null: the default. */
export interface SurveyChanges {
  name?: string | undefined;
  description?: string | null | undefined;
  status?: SurveyStatus | undefined;
  type?: SurveyType | undefined;
  workspaceId?: number | undefined;
  settings?: Record<string, unknown> | null | undefined;
  qualitySettings?: QualitySettingsChanges | null | undefined;
}

export class SurveyService {
  private readonly findSurvey: (key: string) => Promise<SurveyRow | undefined>;

  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    private readonly drafts: DraftDefinitionCache,
    private readonly clock: Clock,
  ) {
    this.findSurvey = coalesceCalls((keys) => store.detached(() => store.read.surveys.findByKeys(keys)));
  }

  list(scope: WorkspaceScope, listing: SurveyListing): Promise<{ rows: ListedSurveyRow[]; total: number }> {
    return this.store.read.surveys.list(scope, listing);
  }

  async get(scope: SurveyScope): Promise<SurveyRow> {
    const row = await this.findSurvey(`${scope.organizationId}:${scope.surveyId}`);
    if (row === undefined) throw notFound('survey');
    return row;
  }

  /** Returns the time zone of the survey's dates. */
  async timeZone({ surveyId }: SurveyScope): Promise<TimeZone> {
    return getTimeZone(await this.store.read.surveys.findTimeZone(surveyId));
  }

  async getWithDefinition(scope: SurveyScope): Promise<{ survey: SurveyRow; definition: SurveyDefinition }> {
    const survey = await this.get(scope);
    return { survey, definition: await this.drafts.at(survey.survey_id, survey.revision) };
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
      const row = await repositories.surveys.create(scope, {
        survey_name: input.name,
        survey_description: input.description,
        survey_type: input.type,
        survey_settings: mergeSettings({}, input.settings),
        quality_settings: changeQualitySettings({}, input.qualitySettings),
      });
      const created = { ...scope, surveyId: row.survey_id };
      await checkNamedQuestions(repositories, created, {}, input.qualitySettings, 'quality_settings.');
      await checkNamedPages(repositories, created, {}, input.settings);
      await addContent(repositories, created, input.content);
      await repositories.audit.record(surveyAuditEntry(created, 'created'));
      return { survey: row, definition: await repositories.definitions.draft(row.survey_id) };
    });
  }

  /** `qualityAt`: path of the quality settings in the request. */
  async update(
    caller: Caller,
    scope: SurveyScope,
    changes: SurveyChanges,
    qualityAt: '' | 'quality_settings.' = 'quality_settings.',
  ): Promise<SurveyRow> {
    const { workspaceId } = changes;
    const seenBy =
      workspaceId === undefined || workspaceId === scope.workspaceId
        ? null
        : await this.access.checkMove(caller, scope, workspaceId, { type: 'survey', id: scope.surveyId });
    return this.store.transaction(async (repositories) => {
      const before = await lockSurvey(repositories, scope);
      const after = this.applyChanges(before, changes);
      await checkTimeZone(repositories, before.survey_settings, changes.settings);
      await checkAnonymous(repositories, scope, before.survey_settings, after.survey_settings);
      const { quality_settings: rules } = before;
      await checkNamedQuestions(repositories, scope, rules, changes.qualitySettings, qualityAt);
      await checkNamedPages(repositories, scope, before.survey_settings, changes.settings);
      const fields = Object.keys(after).filter(
        (key) => !isDeepStrictEqual(after[key as keyof SurveyFields], before[key as keyof SurveyFields]),
      );
      if (fields.length === 0) return before;
      const changesTexts = fields.includes('survey_name') || fields.includes('survey_description');
      await repositories.surveys.save(scope, after, changesTexts);
      await repositories.audit.record(surveyAuditEntry(scope, 'updated', { fields }));
      await recordMove(
        repositories,
        (action, details) => surveyAuditEntry(scope, action, details),
        before,
        after,
        seenBy,
      );
      return (await repositories.surveys.lock(scope))!;
    });
  }

  /** Deletes a survey: it is hidden with its data, which are not removed. */
  async delete(scope: SurveyScope): Promise<void> {
    await this.store.transaction(async (repositories) => {
      const row = await lockSurvey(repositories, scope);
      await repositories.surveys.save(scope, { ...row, survey_status: SURVEY_STATUS.deleted }, false);
      await repositories.audit.record(surveyAuditEntry(scope, 'deleted'));
    });
  }

  private applyChanges(row: SurveyRow, changes: SurveyChanges): SurveyFields {
    const status = changes.status ?? row.survey_status;
    const problem = statusChangeProblem(row.survey_status, status);
    if (problem !== null) throw conflict('illegal_transition', `survey_status: ${problem}`);
    const closedNow = status === SURVEY_STATUS.closed ? (row.closed_at ?? this.clock.now()) : null;
    return {
      workspace_id: changes.workspaceId ?? row.workspace_id,
      survey_name: changes.name ?? row.survey_name,
      survey_description: changes.description === undefined ? row.survey_description : changes.description,
      survey_status: status,
      survey_type: changes.type ?? row.survey_type,
      survey_settings: changedSettings(row.survey_settings, changes.settings),
      quality_settings: changedQuality(row.quality_settings, changes.qualitySettings),
      closed_at: closedNow,
    };
  }
}

type Stored = Record<string, unknown>;

/** A client that sends all settings back unchanged has chosen none of them, so the stored values stay. */
function changedSettings(stored: Stored, changes: Stored | null | undefined): Stored {
  if (changes === undefined) return stored;
  const changed = changes === null ? {} : mergeSettings(stored, changes);
  return isDeepStrictEqual(surveySettingsOf(changed), surveySettingsOf(stored)) ? stored : changed;
}

function changedQuality(stored: Stored, changes: QualitySettingsChanges | null | undefined): Stored {
  if (changes === undefined) return stored;
  const changed = changeQualitySettings(stored, changes);
  return isDeepStrictEqual(qualitySettingsOf(changed), qualitySettingsOf(stored)) ? stored : changed;
}
