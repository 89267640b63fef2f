import type { SurveyScope, WaveScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import { cannotChange, mustBe } from '../../lib/error-messages.ts';
import type { Clock } from '../../lib/clock.ts';
import { conflict, invalid, notFound } from '../../lib/errors.ts';
import type { WaveStatus } from '../../domain/survey/status.ts';
import type { IdPage } from '../../repositories/list-queries.ts';
import type { WaveFields, WaveProgressRow, WaveRow, WaveSearch } from '../../repositories/waves.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { lockSurvey } from '../surveys/survey-lock.ts';

/** undefined: unchanged. */
export type WaveChanges = { [Field in keyof WaveFields]: WaveFields[Field] | undefined } & {
  /** May be sent, but must equal the current survey. */
  surveyId: number | undefined;
};

/** The waves of surveys: for example, the months of a tracking study. */
export class WaveService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** The current time, which determines the status of waves. */
  now(): Date {
    return this.clock.now();
  }

  /** `total` counts all matches. */
  list(
    scope: WorkspaceScope,
    search: Omit<WaveSearch, 'now'>,
    page: IdPage,
  ): Promise<{ found: WaveRow[]; total: number }> {
    const listing = { ...search, now: this.now() };
    return this.store.snapshot(async ({ waves }) => {
      const found = await waves.list(scope, listing, page);
      const { scheduled, active, ended } = await waves.countByStatus(scope, listing);
      return { found, total: scheduled + active + ended };
    });
  }

  /** Lists active waves with their progress. */
  listProgress(
    scope: WorkspaceScope,
    surveyId: number | null,
    page: IdPage,
  ): Promise<{ found: WaveProgressRow[]; total: number }> {
    const search = { surveyId, status: 'active', now: this.now() } as const;
    return this.store.snapshot(async ({ waves }) => {
      const found = await waves.listProgress(scope, search, page);
      return { found, total: (await waves.countByStatus(scope, search)).active };
    });
  }

  countByStatus(scope: WorkspaceScope, search: Omit<WaveSearch, 'now'>): Promise<Record<WaveStatus, number>> {
    return this.store.read.waves.countByStatus(scope, { ...search, now: this.now() });
  }

  get(scope: WaveScope): Promise<WaveRow> {
    return findWave(this.store.read, scope);
  }

  create(scope: SurveyScope, wave: WaveFields): Promise<WaveRow> {
    refuseEndBeforeStart(wave, 'wave_end_date');
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const waveId = await repositories.waves.create(scope, wave);
      const created = { ...scope, waveId };
      await recordWaveAudit({
        repositories,
        by: created,
        action: 'created',
        details: {
          survey_id: scope.surveyId,
          ...datesOf(wave),
        },
      });
      return findWave(repositories, created);
    });
  }

  /** Dates may change even if responses exist: responses keep the wave in which they started. */
  update(scope: WaveScope, { surveyId, ...changes }: WaveChanges): Promise<WaveRow> {
    if (surveyId !== undefined && surveyId !== scope.surveyId) {
      throw invalid('survey_id', cannotChange(`this wave belongs to survey ${scope.surveyId}`));
    }
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const row = await findWave(repositories, scope);
      const before: WaveFields = {
        name: row.wave_name,
        start: row.wave_start_date,
        end: row.wave_end_date,
        target: row.own_target,
      };
      // A target that was computed from the quotas and is sent back unchanged stays computed.
      const { target } = changes;
      const isAsShown = row.own_target === null && target === row.target;
      const after = applyChanges(before, isAsShown ? { ...changes, target: undefined } : changes);
      refuseEndBeforeStart(after, changes.end === undefined ? 'wave_start_date' : 'wave_end_date');
      const fields = changedFields(before, after);
      if (fields.length === 0) return row;
      await repositories.waves.update(scope, scope.waveId, after);
      const hasNewDates = fields.includes('wave_start_date') || fields.includes('wave_end_date');
      await recordWaveAudit({
        repositories,
        by: scope,
        action: 'updated',
        details: {
          fields,
          ...(hasNewDates && {
            before: datesOf(before),
            after: datesOf(after),
            responses: row.completed + row.partial + row.screened_out,
          }),
        },
      });
      return findWave(repositories, scope);
    });
  }

  /**
   * Deletes a wave without responses and links. Throws 409 otherwise: responses of different waves must remain
   * distinguishable.
   */
  async delete(scope: WaveScope): Promise<void> {
    await this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      await findWave(repositories, scope);
      const { hasResponses, links } = await repositories.waves.findUses(scope.surveyId, scope.waveId);
      if (hasResponses) {
        throw conflict(
          'wave_has_responses',
          'Responses belong to this wave, so it stays; end it with wave_end_date',
        );
      }
      if (links > 0) {
        const subject = links === 1 ? '1 link belongs' : `${links} links belong`;
        throw conflict(
          'wave_has_links',
          `${subject} to this wave; delete them first, or give them another wave`,
        );
      }
      await repositories.waves.delete(scope, scope.waveId);
      await recordWaveAudit({ repositories, by: scope, action: 'deleted' });
    });
  }
}

async function findWave({ waves }: Repositories, scope: WaveScope): Promise<WaveRow> {
  const row = await waves.find(scope, scope.waveId);
  if (row === null) throw notFound('wave');
  return row;
}

const applyChanges = (before: WaveFields, changes: Omit<WaveChanges, 'surveyId'>): WaveFields => ({
  name: changes.name ?? before.name,
  start: changes.start === undefined ? before.start : changes.start,
  end: changes.end === undefined ? before.end : changes.end,
  target: changes.target === undefined ? before.target : changes.target,
});

const FIELD_NAMES = {
  name: 'wave_name',
  start: 'wave_start_date',
  end: 'wave_end_date',
  target: 'target',
} as const satisfies Record<keyof WaveFields, string>;

function changedFields(before: WaveFields, after: WaveFields): string[] {
  const fields = Object.entries(FIELD_NAMES) as [keyof WaveFields, string][];
  const plain = (value: WaveFields[keyof WaveFields]) => (value instanceof Date ? value.getTime() : value);
  return fields.flatMap(([field, name]) => (plain(before[field]) === plain(after[field]) ? [] : [name]));
}

function refuseEndBeforeStart({ start, end }: WaveFields, field: string): void {
  if (start === null || end === null || end > start) return;
  const relation = field === 'wave_end_date' ? 'after wave_start_date' : 'before wave_end_date';
  const [is, other] = field === 'wave_end_date' ? [end, start] : [start, end];
  throw invalid(field, mustBe(`${relation} (${other.toISOString()})`, is.toISOString()));
}

const datesOf = ({ start, end }: Pick<WaveFields, 'start' | 'end'>) => ({
  wave_start_date: start?.toISOString() ?? null,
  wave_end_date: end?.toISOString() ?? null,
});

const recordWaveAudit = ({
  repositories: { audit },
  by,
  action,
  details,
}: {
  repositories: Repositories;
  by: WaveScope;
  action: 'created' | 'updated' | 'deleted';
  details?: Record<string, unknown> | undefined;
}) =>
  audit.record({
    by,
    action: `wave.${action}`,
    objectType: 'wave',
    objectId: by.waveId,
    ...(details === undefined ? {} : { details }),
  });
