import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { liftTimeLimits } from '../db/pg-pool.ts';
import { queryCount } from '../db/rows.ts';

/** Removes from a survey that becomes anonymous what shows who answered and when. */
export class AnonymizationRepository {
  constructor(private readonly db: Database) {}

  /**
   * Removes how far each invited person is and the values of links that are not among `hiddenNames`, hides the links of single people and
   * rounds the times of all responses to days. Other identifying data of the responses, such as an external_id, are kept. Within a
   * transaction, whose statements have no time limit then: all responses are written.
   */
  async anonymize(
    surveyId: number,
    { dayZone, hiddenNames }: { dayZone: string; hiddenNames: readonly string[] },
  ): Promise<void> {
    await liftTimeLimits(this.db, '10s');
    await this.anonymizeInvitations(surveyId, dayZone);
    await this.hidePersonalLinks(surveyId);
    // The database rounds the times of these rows and of their files: see the trigger responses_round_times.
    await this.db('responses')
      .where({ survey_id: surveyId })
      .update({
        day_zone: dayZone,
        hidden: this.db.raw(
          '(SELECT jsonb_object_agg(value.key, value.value) FROM jsonb_each(hidden) AS value WHERE value.key = ANY(?::text[]))',
          [[...hiddenNames]],
        ),
      });
    // Raw SQL: an expression on a member of a JSON object.
    await queryCount(
      this.db,
      `UPDATE data_change_rows SET before = jsonb_set(before, '{completedAt}', to_jsonb(date_trunc('day', iso_timestamp(before ->> 'completedAt'), ?)))
       WHERE survey_id = ? AND before ->> 'completedAt' IS NOT NULL`,
      [dayZone, surveyId],
    );
    for (const table of ['survey_segments', 'response_segments'] as const)
      await this.db(table).where({ survey_id: surveyId }).delete();
  }

  private async anonymizeInvitations(surveyId: number, dayZone: string): Promise<void> {
    await this.db('invitations')
      .where({ survey_id: surveyId })
      .update({
        invitation_status: this.db.raw(
          `CASE WHEN invitation_status IN ('opened', 'started', 'completed') THEN CASE WHEN sent_at IS NULL THEN 'kept' ELSE 'sent' END ELSE invitation_status END`,
        ),
        answered_on: this.db.raw('CASE WHEN has_ended THEN (now() AT TIME ZONE ?)::date END', [dayZone]),
        opened_at: null,
        started_at: null,
        completed_at: null,
      });
  }

  private async hidePersonalLinks(surveyId: number): Promise<void> {
    const personalLinks = this.db('links')
      .where({ survey_id: surveyId })
      .where((personal) => {
        void personal
          .where({ link_type: 'unique' })
          .orWhereIn('link_id', this.db('invitations').where({ survey_id: surveyId }).select('link_id'));
      });
    await this.db('responses')
      .where({ survey_id: surveyId, link_id: anyOf(this.db, await personalLinks.pluck('link_id')) })
      .update({ hides_link: true });
  }
}
