import type { TestApp } from './app.ts';

/** Sets the expiry of all link reservations into the past. */
export async function expireLinkReservations(test: TestApp, linkToken: string): Promise<void> {
  await test.database.db.raw(
    `UPDATE link_reservations p SET reserved_until = now() - interval '1 second' FROM links l
     WHERE l.link_token = ? AND p.link_id = l.link_id`,
    [linkToken],
  );
}
