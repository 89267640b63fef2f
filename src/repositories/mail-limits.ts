import type { Database } from '../db/connect.ts';
import { countOf, rowOf } from '../db/rows.ts';

const DAY = `(?::timestamptz AT TIME ZONE 'UTC')::date`;

/** How many mails may go out: of an organization in a day, and of the installation in a second, in however many processes. */
export class MailLimitRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Takes up to `wanted` of what the organization may still send today (UTC); says how many it got. */
  async takeOfDay(organizationId: number, day: Date, wanted: number, cap: number): Promise<number> {
    const key = [organizationId, day];
    await countOf(
      this.db,
      `INSERT INTO mail_days (organization_id, mail_day, mail_count) VALUES (?, ${DAY}, 0)
       ON CONFLICT (organization_id, mail_day) DO NOTHING`,
      key,
    );
    const row = await rowOf<{ taken: number }>(
      this.db,
      `WITH was AS (
         SELECT greatest(0, least(?::integer, ?::integer - mail_count)) AS taken FROM mail_days
         WHERE organization_id = ? AND mail_day = ${DAY} FOR UPDATE)
       UPDATE mail_days SET mail_count = mail_count + was.taken FROM was WHERE organization_id = ? AND mail_day = ${DAY}
       RETURNING was.taken`,
      [wanted, cap, ...key, ...key],
    );
    return row!.taken;
  }

  async giveBackOfDay(organizationId: number, day: Date, count: number): Promise<void> {
    if (count === 0) return;
    await countOf(
      this.db,
      `UPDATE mail_days SET mail_count = mail_count - ? WHERE organization_id = ? AND mail_day = ${DAY}`,
      [count, organizationId, day],
    );
  }

  /** Takes the next `count` moments at which a mail may go out; says how long it is until the first of them. */
  async takeMoments(count: number, perSecond: number): Promise<{ waitMs: number }> {
    const seconds = count / perSecond;
    const row = await rowOf<{ wait_ms: number }>(
      this.db,
      `INSERT INTO mail_pace AS p (next_at) VALUES (clock_timestamp() + ? * interval '1 second')
       ON CONFLICT (only_row) DO UPDATE SET next_at = greatest(p.next_at, clock_timestamp()) + ? * interval '1 second'
       RETURNING extract(epoch FROM next_at - ? * interval '1 second' - clock_timestamp())::double precision * 1000 AS wait_ms`,
      [seconds, seconds, seconds],
    );
    return { waitMs: Math.max(0, row!.wait_ms) };
  }
}
