import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enterWorld, fuzzerOn, tryOnce } from '../../../fuzz/campaign.ts';
import { findSecretInBackup } from '../../../fuzz/checks/backup-secrets.ts';
import type { Fuzzer } from '../../../fuzz/fuzzer.ts';
import type { Family } from '../../../fuzz/requests/draft.ts';
import { type FuzzedRoute, fuzzedRoutes } from '../../../fuzz/requests/valid-request.ts';
import { type FuzzTarget, startTargetInProcess } from '../../../fuzz/support/target.ts';
import { closeConnections } from '../../../fuzz/support/send.ts';
import { SignedBody } from '../../../src/http/signed-body.ts';
import { useDatabase } from '../../support/database.ts';

/** A short run of `npm run test:fuzz` with a fixed seed. */
const SEED = 11;
const FAMILIES: readonly Family[] = ['almost valid', 'hostile'];

const database = useDatabase();
const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-fuzz-'));
let target: FuzzTarget;
let fuzzer: Fuzzer;

beforeAll(async () => {
  target = await startTargetInProcess(database);
  fuzzer = await fuzzerOn(target, SEED);
  await enterWorld(fuzzer, target);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  closeConnections();
  await target?.end();
});

/** Signed webhooks cannot be forged here, and external services are not configured. */
const isExpected = ({ route }: FuzzedRoute, status: number | null): boolean =>
  status !== null &&
  (status < 400 || route.body instanceof SignedBody || (status === 503 && route.errors[503] !== undefined));

const routes = fuzzedRoutes();

it('builds a request to every declared route', () => {
  expect(routes.flatMap((route) => route.unknown ?? [])).toEqual([]);
});

it.each(
  routes
    .filter((route) => route.unknown === null)
    .map((route) => [`${route.route.method.toUpperCase()} ${route.route.path}`, route] as const),
)('%s accepts a valid request and withstands invalid and hostile ones', async (_name, route) => {
  const before = fuzzer.found.length;
  let { status } = await tryOnce(fuzzer, target, route, 'valid', true);
  if (!isExpected(route, status)) {
    // Requests to other routes may have deleted objects that this request needs.
    await enterWorld(fuzzer, target);
    ({ status } = await tryOnce(fuzzer, target, route, 'valid', true));
    expect(isExpected(route, status), `answered with ${status}`).toBe(true);
  }
  for (const family of FAMILIES) await tryOnce(fuzzer, target, route, family);
  expect(fuzzer.found.slice(before)).toEqual([]);
});

it('pages and unknown paths withstand hostile requests', async () => {
  const before = fuzzer.found.length;
  for (let count = 0; count < 30; count += 1) await fuzzer.tryPage();
  expect(fuzzer.found.slice(before)).toEqual([]);
});

it('a backup after the run contains no secret', async () => {
  expect(await findSecretInBackup(target, fuzzer.allSecrets, folder)).toBeNull();
});
