import type { Database } from '../db/connect.ts';
import { queryRow } from '../db/rows.ts';

const UTC_DATE = `(?::timestamptz AT TIME ZONE 'UTC')::date`;

/** Limits of mails, shared by all processes: of an organization per day, and of the installation per second. */
export class MailLimitRepository {
  constructor(private readonly db: Database) {}

  /** Reserves up to `wanted` mails of what the organization may still send today (UTC), and returns how many it reserved. */
  async reserveOfDay(organizationId: number, day: Date, wanted: number, cap: number): Promise<number> {
    await this.db('mail_days')
      .insert({ organization_id: organizationId, mail_day: this.db.raw(UTC_DATE, [day]), mail_count: 0 })
      .onConflict(['organization_id', 'mail_day'])
      .ignore();
    const key = [organizationId, day];
    // Raw SQL: locks the row, computes the number from it and updates it in one statement.
    const row = await queryRow<{ reserved: number }>(
      this.db,
      `WITH remaining AS (
         SELECT greatest(0, least(?::integer, ?::integer - mail_count)) AS reserved FROM mail_days
         WHERE organization_id = ? AND mail_day = ${UTC_DATE} FOR UPDATE)
       UPDATE mail_days SET mail_count = mail_count + remaining.reserved FROM remaining
       WHERE organization_id = ? AND mail_day = ${UTC_DATE} RETURNING remaining.reserved`,
      [wanted, cap, ...key, ...key],
    );
    return row!.reserved;
  }

  async releaseOfDay(organizationId: number, day: Date, count: number): Promise<void> {
    if (count === 0) return;
    await this.db('mail_days')
      .where({ organization_id: organizationId })
      .whereRaw(`mail_day = ${UTC_DATE}`, [day])
      .decrement('mail_count', count);
  }

  /** Reserves the time for the next `count` mails, and returns how long to wait until the first of them. */
  async reserveSendTime(count: number, perSecond: number): Promise<{ waitMs: number }> {
    const seconds = count / perSecond;
    const [row] = await this.db('mail_pace')
      .insert({ next_at: this.db.raw(`clock_timestamp() + ? * interval '1 second'`, [seconds]) })
      .onConflict('only_row')
      .merge({
        next_at: this.db.raw(`greatest(mail_pace.next_at, clock_timestamp()) + ? * interval '1 second'`, [
          seconds,
        ]),
      })
      .returning<{ wait_ms: number }[]>(
        this.db.raw(
          `extract(epoch FROM next_at - ? * interval '1 second' - clock_timestamp())::double precision * 1000 AS wait_ms`,
          [seconds],
        ),
      );
    return { waitMs: Math.max(0, row!.wait_ms) };
  }
}
