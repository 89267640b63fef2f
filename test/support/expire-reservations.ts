import type { TestApp } from './app.ts';

/** A quarter of an hour passes for those who have begun through a link and not ended. */
export async function expireLinkReservations(test: TestApp, linkToken: string): Promise<void> {
  await test.database.db.raw(
    `UPDATE link_places p SET held_until = now() - interval '1 second' FROM links l
     WHERE l.link_token = ? AND p.link_id = l.link_id`,
    [linkToken],
  );
}
