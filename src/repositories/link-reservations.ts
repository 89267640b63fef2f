import type { Knex } from 'knex';
import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';
import { requireRow } from '../lib/require-value.ts';

interface LinkKey {
  surveyId: number;
  linkId: number;
}

/** How much of a link's quota is used. */
interface Usage {
  completes: number;
  /** Reservations of responses that have started and not ended. */
  held: number;
}

/**
 * Reservations in the quotas of links, by response. Locks are taken in this order: the link (OpenLinkRepository.lock), the
 * reservation, the response. Only making a reservation needs the lock of the link.
 */
export class LinkReservationRepository {
  constructor(private readonly db: Database) {}

  /** Exact while the caller holds the link's lock: expired reservations, and those of ended responses, are deleted first. */
  async readUsageExactly(link: LinkKey, now: Date): Promise<Usage> {
    const partial = this.db('responses')
      .where({ response_status: 'partial', deleted_at: null })
      .whereRaw(
        'responses.survey_id = link_places.survey_id AND responses.response_id = link_places.response_id',
      );
    await this.reservationsOf(link)
      .where((query) => void query.where('held_until', '<=', now).orWhereNotExists(partial))
      .delete();
    return this.readCounts(link, this.reservationsOf(link).count());
  }

  /** Needs no lock, for callers that only show it. Leaves out reservations that the exact count would delete. */
  async readUsage(link: LinkKey, now: Date): Promise<Usage> {
    const held = this.db('link_places')
      .joinRaw('JOIN responses r USING (survey_id, response_id)')
      .where({ survey_id: link.surveyId })
      .whereRaw(
        `link_places.link_id = ? AND held_until > ? AND r.response_status = 'partial' AND r.deleted_at IS NULL`,
        [link.linkId, now],
      )
      .count();
    return this.readCounts(link, held);
  }

  /** The caller has locked the link and knows that its quota has room. */
  async reserve({ surveyId, linkId }: LinkKey, responseId: number, until: Date): Promise<void> {
    await this.db('link_places')
      .insert({ survey_id: surveyId, link_id: linkId, response_id: responseId, held_until: until })
      .onConflict(['survey_id', 'link_id', 'response_id'])
      .merge(['held_until']);
  }

  /** Makes a reservation for each response that was started through the link and saved after `since`. */
  async reserveForStarted({ surveyId, linkId }: LinkKey, since: Date, ttlSeconds: number): Promise<void> {
    // Raw SQL: inserts from a query.
    await queryCount(
      this.db,
      `INSERT INTO link_places (survey_id, link_id, response_id, held_until)
       SELECT survey_id, link_id, response_id, updated_at + make_interval(secs => ?) FROM responses
       WHERE survey_id = ? AND link_id = ? AND response_status = 'partial' AND deleted_at IS NULL AND NOT is_test AND updated_at > ?
       ON CONFLICT (survey_id, link_id, response_id) DO UPDATE SET held_until = excluded.held_until`,
      [ttlSeconds, surveyId, linkId, since],
    );
  }

  /** Returns false where the response has no reservation any more. */
  async renew(link: LinkKey, responseToken: string, until: Date): Promise<boolean> {
    const renewed = await this.reservationsOf(link)
      .whereIn('response_id', this.responseIdOf(link.surveyId, responseToken))
      .update({ held_until: until });
    return renewed > 0;
  }

  /** Returns false where the response had no reservation. */
  async release(link: LinkKey, responseToken: string): Promise<boolean> {
    const released = await this.reservationsOf(link)
      .whereIn('response_id', this.responseIdOf(link.surveyId, responseToken))
      .delete();
    return released > 0;
  }

  private reservationsOf({ surveyId, linkId }: LinkKey) {
    return this.db('link_places').where({ survey_id: surveyId, link_id: linkId });
  }

  private responseIdOf(surveyId: number, responseToken: string) {
    return this.db('responses')
      .select('response_id')
      .where({ survey_id: surveyId, response_token: responseToken });
  }

  /** One statement, so that completes and reservations are read at the same moment. */
  private async readCounts({ surveyId, linkId }: LinkKey, held: Knex.QueryBuilder): Promise<Usage> {
    const completes = this.db('response_counts')
      .select(this.db.raw('coalesce(sum(complete_count), 0)::bigint'))
      .where({ survey_id: surveyId, link_id: linkId });
    const usage = requireRow(
      await this.db.select<Usage[]>(completes.as('completes'), held.as('held')),
      'link_places',
    );
    return usage;
  }
}
