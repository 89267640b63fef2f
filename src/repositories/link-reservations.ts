import type { Knex } from 'knex';
import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';

interface LinkKey {
  surveyId: number;
  linkId: number;
}

/** How much of a link's quota is used. */
interface Usage {
  completes: number;
  /** Reservations of responses that have started and not ended. */
  reserved: number;
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
        'responses.survey_id = link_reservations.survey_id AND responses.response_id = link_reservations.response_id',
      );
    await this.queryReservations(link)
      .where((query) => void query.where('reserved_until', '<=', now).orWhereNotExists(partial))
      .delete();
    return this.readCounts(link, this.queryReservations(link).count());
  }

  /** Needs no lock, for callers that only show it. Leaves out reservations that the exact count would delete. */
  async readUsage(link: LinkKey, now: Date): Promise<Usage> {
    const reserved = this.db('link_reservations')
      .joinRaw('JOIN responses r USING (survey_id, response_id)')
      .where({ survey_id: link.surveyId })
      .whereRaw(
        `link_reservations.link_id = ? AND reserved_until > ? AND r.response_status = 'partial' AND r.deleted_at IS NULL`,
        [link.linkId, now],
      )
      .count();
    return this.readCounts(link, reserved);
  }

  /** The caller has locked the link and knows that its quota has room. */
  async reserve({ surveyId, linkId }: LinkKey, responseId: number, until: Date): Promise<void> {
    await this.db('link_reservations')
      .insert({ survey_id: surveyId, link_id: linkId, response_id: responseId, reserved_until: until })
      .onConflict(['survey_id', 'link_id', 'response_id'])
      .merge(['reserved_until']);
  }

  /** Makes a reservation for each response that was started through the link and saved after `since`. */
  async reserveForStarted({ surveyId, linkId }: LinkKey, since: Date, ttlSeconds: number): Promise<void> {
    // Raw SQL: inserts from a query.
    await queryCount(
      this.db,
      `INSERT INTO link_reservations (survey_id, link_id, response_id, reserved_until)
       SELECT survey_id, link_id, response_id, updated_at + make_interval(secs => ?) FROM responses
       WHERE survey_id = ? AND link_id = ? AND response_status = 'partial' AND deleted_at IS NULL AND NOT is_test AND updated_at > ?
       ON CONFLICT (survey_id, link_id, response_id) DO UPDATE SET reserved_until = excluded.reserved_until`,
      [ttlSeconds, surveyId, linkId, since],
    );
  }

  /** Returns false where the response has no reservation any more. */
  async renew(link: LinkKey, responseToken: string, until: Date): Promise<boolean> {
    const renewed = await this.queryReservations(link)
      .whereIn('response_id', this.queryResponseId(link.surveyId, responseToken))
      .update({ reserved_until: until });
    return renewed > 0;
  }

  /** Returns false where the response had no reservation. */
  async release(link: LinkKey, responseToken: string): Promise<boolean> {
    const released = await this.queryReservations(link)
      .whereIn('response_id', this.queryResponseId(link.surveyId, responseToken))
      .delete();
    return released > 0;
  }

  private queryReservations({ surveyId, linkId }: LinkKey) {
    return this.db('link_reservations').where({ survey_id: surveyId, link_id: linkId });
  }

  private queryResponseId(surveyId: number, responseToken: string) {
    return this.db('responses')
      .select('response_id')
      .where({ survey_id: surveyId, response_token: responseToken });
  }

  /** One statement, so that completes and reservations are read at the same moment. */
  private async readCounts({ surveyId, linkId }: LinkKey, reserved: Knex.QueryBuilder): Promise<Usage> {
    const completes = this.db('response_counts')
      .select(this.db.raw('coalesce(sum(complete_count), 0)::bigint'))
      .where({ survey_id: surveyId, link_id: linkId });
    const [usage] = await this.db.select<Usage[]>(completes.as('completes'), reserved.as('reserved'));
    return usage!;
  }
}
