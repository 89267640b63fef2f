import type { Database } from '../../src/db/connect.ts';
import type { Fixtures } from '../../test/support/permission-matrix/fixtures.ts';

/** Words that only callers of one organization may read. */
export const MARKERS = { home: 'OnlyForHomeEyes7391', foreign: 'OnlyForForeignEyes4826' } as const;

/** Settings that are secret: planted here, looked for everywhere. */
export const SECRET_SETTINGS = {
  JWT_SECRET: 'a-signing-key-that-only-tests-have-0123456789',
  METRICS_TOKEN: 'planted-metrics-token-0123456789',
  STRIPE_SECRET_KEY: 'sk_test_plantedStripeSecretKey0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_plantedWebhookSecret0123456789',
} as const;

/** Passwords in requests of the fuzzer. No reply or log line may contain them. */
const SENT_PASSWORD = 'planted-password-of-a-new-user';

/** What must be in no reply, no line of the log and no backup. */
export function listSecrets(fixtures: Fixtures): string[] {
  const callers = Object.values(fixtures.callers).flatMap(({ key, session }) => [
    key.apiKey,
    key.password,
    (session as { token?: string }).token,
  ]);
  const secrets = callers.filter(
    (secret): secret is string => typeof secret === 'string' && secret.length > 6,
  );
  return [...new Set([...Object.values(SECRET_SETTINGS), SENT_PASSWORD, ...secrets])];
}

/** Returns the first secret in the text, shortened so that the report does not disclose it, or null. */
export function findSecret(text: string, secrets: readonly string[]): string | null {
  const found = secrets.find((secret) => text.includes(secret));
  return found === undefined ? null : `${found.slice(0, 8)}…`;
}

/** Writes each organization's marker into everything of it that has words, and into answers. */
export async function plantMarkers(fixtures: Fixtures, db: Database): Promise<void> {
  const { rows } = await db.raw<{ rows: { table: string; column: string }[] }>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns named
     WHERE table_schema = 'public' AND data_type = 'text' AND column_name ~ '_(name|title|description)$|^(question|comment)_text$'
       AND EXISTS (SELECT FROM information_schema.columns owned
         WHERE owned.table_schema = 'public' AND owned.table_name = named.table_name AND owned.column_name = 'organization_id')`,
  );
  for (const [organizationId, marker] of [
    [fixtures.home.organizationId, MARKERS.home],
    [fixtures.foreign.organizationId, MARKERS.foreign],
  ] as const)
    for (const { table, column } of rows)
      // Names have to differ within some tables.
      await db.raw(`UPDATE ?? SET ?? = ? || ' ' || ctid::text WHERE organization_id = ? AND ?? IS NOT NULL`, [
        table,
        column,
        marker,
        organizationId,
        column,
      ]);
  const answered = (marker: string) => ({ rows: [{ answers: { Q1: '1', Q2: 3, Q3: marker } }] });
  const { foreign, callers, changeable } = fixtures;
  await callers.foreign.key
    .post(`/api/responses/${foreign.surveyId}/rows`, answered(MARKERS.foreign))
    .expect(201);
  await callers.owner.key
    .post(`/api/responses/${changeable.shared.surveyId}/rows`, answered(MARKERS.home))
    .expect(201);
}
