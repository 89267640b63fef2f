import type { Database } from '../db/connect.ts';
import { queryCount, queryRows } from '../db/rows.ts';
import type { PanelMismatch } from '../domain/survey/panel-checks.ts';
import type { LinkMismatchTable } from './tables/field.ts';

interface LinkKey {
  surveyId: number;
  linkId: number;
}

/** The latest mismatches of a link that are listed; all are counted. */
export const MAX_LISTED_MISMATCHES = 200;

export type MismatchRow = Pick<
  LinkMismatchTable,
  'mismatch_id' | 'direction' | 'reason' | 'external_id' | 'response_id' | 'occurred_at'
>;

export type MismatchCount = Pick<LinkMismatchTable, 'direction' | 'reason'> & { mismatch_count: number };

/** Signing keys of panel links, the signatures that were used, and entries and exits that do not fit. */
export class LinkSignatureRepository {
  constructor(private readonly db: Database) {}

  /** The caller has locked the link. `encrypted` null: removes the key. */
  async setKey(
    { surveyId, linkId }: LinkKey,
    encrypted: string | null,
    createdAt: Date | null,
  ): Promise<void> {
    await this.db('links')
      .where({ survey_id: surveyId, link_id: linkId })
      .update({ signing_key: encrypted, signing_key_created_at: createdAt });
  }

  async isUsed({ surveyId, linkId }: LinkKey, signature: string): Promise<boolean> {
    const found = await this.db('link_entries')
      .first('signature')
      .where({ survey_id: surveyId, link_id: linkId, signature });
    return found !== undefined;
  }

  /** Returns false if the signature was used before. Waits for a transaction that is using it. */
  async use({ surveyId, linkId }: LinkKey, signature: string): Promise<boolean> {
    const added = await this.db('link_entries')
      .insert({ survey_id: surveyId, link_id: linkId, signature, response_id: null })
      .onConflict(['survey_id', 'link_id', 'signature'])
      .ignore()
      .returning('signature');
    return added.length > 0;
  }

  /** Records the response that a used signature started. */
  async assignResponse({ surveyId, linkId }: LinkKey, signature: string, responseId: number): Promise<void> {
    await this.db('link_entries')
      .where({ survey_id: surveyId, link_id: linkId, signature })
      .update({ response_id: responseId });
  }

  /** Whether the response was started with a valid signature. */
  async hasEntry(surveyId: number, responseId: number): Promise<boolean> {
    const found = await this.db('link_entries')
      .first('signature')
      .where({ survey_id: surveyId, response_id: responseId });
    return found !== undefined;
  }

  /** Counts a mismatch, and lists it in place of the oldest one. */
  async recordMismatch(
    { surveyId, linkId }: LinkKey,
    mismatch: PanelMismatch & { externalId: string | null; responseId: number | null; occurredAt: Date },
  ): Promise<void> {
    const { direction, reason } = mismatch;
    // Raw SQL: an upsert that adds to the stored count.
    await queryCount(
      this.db,
      `INSERT INTO link_mismatch_counts AS counts (survey_id, link_id, direction, reason, mismatch_count) VALUES (?, ?, ?, ?, 1)
       ON CONFLICT (survey_id, link_id, direction, reason) DO UPDATE SET mismatch_count = counts.mismatch_count + 1`,
      [surveyId, linkId, direction, reason],
    );
    await this.db('link_mismatches').insert({
      survey_id: surveyId,
      link_id: linkId,
      direction,
      reason,
      external_id: mismatch.externalId,
      response_id: mismatch.responseId,
      occurred_at: mismatch.occurredAt,
    });
    const ofLink = this.db('link_mismatches').where({ survey_id: surveyId, link_id: linkId });
    const oldestListed = ofLink
      .clone()
      .select('mismatch_id')
      .orderBy('mismatch_id', 'desc')
      .offset(MAX_LISTED_MISMATCHES - 1)
      .limit(1);
    await ofLink.clone().where('mismatch_id', '<', oldestListed).delete();
  }

  /** Newest first. */
  async listMismatches({ surveyId, linkId }: LinkKey): Promise<MismatchRow[]> {
    return this.db('link_mismatches')
      .select('mismatch_id', 'direction', 'reason', 'external_id', 'response_id', 'occurred_at')
      .where({ survey_id: surveyId, link_id: linkId })
      .orderBy('mismatch_id', 'desc')
      .limit(MAX_LISTED_MISMATCHES);
  }

  async countMismatches({ surveyId, linkId }: LinkKey): Promise<MismatchCount[]> {
    return this.db('link_mismatch_counts')
      .select('direction', 'reason', 'mismatch_count')
      .where({ survey_id: surveyId, link_id: linkId })
      .orderBy(['direction', 'reason']);
  }

  /** Deletes what is older from the lists; the counts remain. */
  async deleteMismatchesBefore(before: Date): Promise<void> {
    await this.db('link_mismatches').where('occurred_at', '<', before).delete();
  }
}

export interface MismatchFigures {
  entry_mismatch_count: number;
  exit_mismatch_count: number;
}

export const NO_MISMATCHES: MismatchFigures = { entry_mismatch_count: 0, exit_mismatch_count: 0 };

/** Adds the numbers of mismatches of each link; only links of panels have any. */
export async function withMismatchCounts<
  Link extends { survey_id: number; link_id: number; link_type: string },
>(db: Database, links: readonly Link[]): Promise<(Link & MismatchFigures)[]> {
  const panels = links.filter(({ link_type: type }) => type === 'panel');
  if (panels.length === 0) return links.map((link) => ({ ...link, ...NO_MISMATCHES }));
  // Raw SQL: sums by a condition, as numbers.
  const rows = await queryRows<MismatchFigures & { link_id: number }>(
    db,
    `SELECT link_id, coalesce(sum(mismatch_count) FILTER (WHERE direction = 'entry'), 0)::bigint AS entry_mismatch_count,
       coalesce(sum(mismatch_count) FILTER (WHERE direction = 'exit'), 0)::bigint AS exit_mismatch_count
     FROM link_mismatch_counts WHERE survey_id = ANY(?::bigint[]) AND link_id = ANY(?::bigint[]) GROUP BY link_id`,
    [[...new Set(panels.map((link) => link.survey_id))], panels.map((link) => link.link_id)],
  );
  const counts = new Map(rows.map(({ link_id: linkId, ...row }) => [linkId, row]));
  return links.map((link) => ({ ...link, ...(counts.get(link.link_id) ?? NO_MISMATCHES) }));
}
