import type { Database } from '../db/connect.ts';
import { countOf, rowOf } from '../db/rows.ts';

interface LinkKey {
  surveyId: number;
  linkId: number;
}

/** How a link's places are taken. */
interface Taken {
  completes: number;
  /** By responses that have begun and not ended. */
  held: number;
}

const LINK = 'survey_id = ? AND link_id = ?';
const COMPLETES = `(SELECT coalesce(sum(complete_count), 0)::bigint FROM response_counts WHERE ${LINK}) AS completes`;

/**
 * Places in the quotas of links, by response. Locks are taken in this order: the link (OpenLinkRepository.lock), the place, the
 * response. Only giving places away needs the link.
 */
export class LinkPlaceRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Exact while the caller holds the link: what nobody holds any more is swept away first. */
  async taken({ surveyId, linkId }: LinkKey, now: Date): Promise<Taken> {
    await countOf(
      this.db,
      `DELETE FROM link_places p WHERE ${LINK} AND (held_until <= ? OR NOT EXISTS (
         SELECT FROM responses r WHERE r.survey_id = p.survey_id AND r.response_id = p.response_id
           AND r.response_status = 'partial' AND r.deleted_at IS NULL))`,
      [surveyId, linkId, now],
    );
    const row = await rowOf<Taken>(
      this.db,
      `SELECT ${COMPLETES}, (SELECT count(*) FROM link_places WHERE ${LINK}) AS held`,
      [surveyId, linkId, surveyId, linkId],
    );
    return row!;
  }

  /** For whoever only looks. */
  async takenNow({ surveyId, linkId }: LinkKey, now: Date): Promise<Taken> {
    const row = await rowOf<Taken>(
      this.db,
      `SELECT ${COMPLETES}, (SELECT count(*) FROM link_places p JOIN responses r USING (survey_id, response_id)
         WHERE p.survey_id = ? AND p.link_id = ? AND p.held_until > ?
           AND r.response_status = 'partial' AND r.deleted_at IS NULL) AS held`,
      [surveyId, linkId, surveyId, linkId, now],
    );
    return row!;
  }

  /** The caller holds the link, and knows that there is a place. */
  async hold({ surveyId, linkId }: LinkKey, responseId: number, until: Date): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO link_places (survey_id, link_id, response_id, held_until) VALUES (?, ?, ?, ?)
       ON CONFLICT (survey_id, link_id, response_id) DO UPDATE SET held_until = excluded.held_until`,
      [surveyId, linkId, responseId, until],
    );
  }

  /** A place for each response that was begun through the link and written to since. */
  async holdForBegun({ surveyId, linkId }: LinkKey, since: Date, ttlSeconds: number): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO link_places (survey_id, link_id, response_id, held_until)
       SELECT survey_id, link_id, response_id, updated_at + make_interval(secs => ?) FROM responses
       WHERE ${LINK} AND response_status = 'partial' AND deleted_at IS NULL AND NOT is_test AND updated_at > ?
       ON CONFLICT (survey_id, link_id, response_id) DO UPDATE SET held_until = excluded.held_until`,
      [ttlSeconds, surveyId, linkId, since],
    );
  }

  /** False: the response holds no place any more. */
  async renew({ surveyId, linkId }: LinkKey, responseToken: string, until: Date): Promise<boolean> {
    const renewed = await countOf(
      this.db,
      `UPDATE link_places p SET held_until = ? FROM responses r
       WHERE r.survey_id = ? AND r.response_token = ?
         AND p.survey_id = r.survey_id AND p.link_id = ? AND p.response_id = r.response_id`,
      [until, surveyId, responseToken, linkId],
    );
    return renewed > 0;
  }

  /** False: it held none. */
  async release({ surveyId, linkId }: LinkKey, responseToken: string): Promise<boolean> {
    const released = await countOf(
      this.db,
      `DELETE FROM link_places p USING responses r
       WHERE r.survey_id = ? AND r.response_token = ?
         AND p.survey_id = r.survey_id AND p.link_id = ? AND p.response_id = r.response_id`,
      [surveyId, responseToken, linkId],
    );
    return released > 0;
  }
}
