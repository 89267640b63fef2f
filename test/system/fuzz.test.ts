import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNewFixtures, fuzzerOn, tryOnce } from '../../fuzz/campaign.ts';
import { findSecretInBackup } from '../../fuzz/checks/backup-secrets.ts';
import type { Fuzzer } from '../../fuzz/fuzzer.ts';
import type { Family } from '../../fuzz/requests/draft.ts';
import { type FuzzedRoute, fuzzedRoutes } from '../../fuzz/requests/valid-request.ts';
import { type FuzzTarget, startTargetInProcess } from '../../fuzz/support/target.ts';
import { closeConnections } from '../../fuzz/support/send.ts';
import { SignedBody } from '../../src/http/define-route.ts';
import { useDatabase } from '../support/database.ts';

/** The beginning of what `npm run test:fuzz` does at length: always the same requests. */
const SEED = 11;
const FAMILIES: readonly Family[] = ['almost valid', 'hostile'];

const database = useDatabase();
const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-fuzz-'));
let ground: FuzzTarget;
let fuzzer: Fuzzer;

beforeAll(async () => {
  ground = await startTargetInProcess(database);
  fuzzer = await fuzzerOn(ground, SEED);
  await createNewFixtures(fuzzer, ground);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  closeConnections();
  await ground?.end();
});

/** Neither signed webhooks nor external services exist in this test. */
const isDone = ({ route }: FuzzedRoute, status: number | null): boolean =>
  status !== null &&
  (status < 400 || route.body instanceof SignedBody || (status === 503 && route.errors[503] !== undefined));

const routes = fuzzedRoutes();

it('generates requests for every declared route', () => {
  expect(routes.flatMap((route) => route.unknown ?? [])).toEqual([]);
});

it.each(
  routes
    .filter((route) => route.unknown === null)
    .map((route) => [`${route.route.method.toUpperCase()} ${route.route.path}`, route] as const),
)('%s accepts valid requests, and handles almost valid and hostile ones', async (_name, route) => {
  const before = fuzzer.found.length;
  let { status } = await tryOnce(fuzzer, ground, route, 'valid', true);
  if (!isDone(route, status)) {
    // Requests to other routes may have taken away what this one needs.
    await createNewFixtures(fuzzer, ground);
    ({ status } = await tryOnce(fuzzer, ground, route, 'valid', true));
    expect(isDone(route, status), `answered with ${status}`).toBe(true);
  }
  for (const family of FAMILIES) await tryOnce(fuzzer, ground, route, family);
  expect(fuzzer.found.slice(before)).toEqual([]);
});

it('pages and unknown addresses handle hostile requests', async () => {
  const before = fuzzer.found.length;
  for (let count = 0; count < 30; count += 1) await fuzzer.tryPage();
  expect(fuzzer.found.slice(before)).toEqual([]);
});

it('a backup contains no secret', async () => {
  expect(await findSecretInBackup(ground, fuzzer.allSecrets, folder)).toBeNull();
});
