import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

/** More than one statement reads, so that each reply needs a view of the database. */
const RESPONSES = 600;
/** More than views that may be open at the same time. */
const ATTEMPTS = 5;

const app = useApp();
const temporaryFolder = process.env.TMPDIR;
let researcher: Actor;
let surveyId: number;

beforeAll(async () => {
  const { admin } = await newOrganization(app);
  researcher = admin;
  ({ surveyId } = await publishedSurvey(researcher, [[choice('Q1')]]));
  const rows = Array.from({ length: RESPONSES }, () => ({ answers: { Q1: '1' } }));
  await researcher.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
});

afterEach(() => {
  if (temporaryFolder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporaryFolder;
});

const grid = () => researcher.get(`/api/responses/${surveyId}/grid`);
const exported = (format: string) => researcher.post(`/api/responses/${surveyId}/export`, { format });

async function expectWholeReplies(): Promise<void> {
  const { body } = await grid().timeout(10_000).expect(200);
  expect(body.data.rows).toHaveLength(RESPONSES);
  const { text } = await exported('csv').timeout(10_000).expect(200);
  expect(text.trim().split('\r\n')).toHaveLength(RESPONSES + 1);
}

describe('an unusable temporary folder', () => {
  it('fails grids and exports with an error until it is usable again', async () => {
    process.env.TMPDIR = path.join(os.tmpdir(), 'canvass-does-not-exist');
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) await grid().timeout(10_000).expect(500);
    for (const format of ['csv', 'xlsx', 'spss']) await exported(format).timeout(10_000).expect(500);
    if (temporaryFolder === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporaryFolder;
    await expectWholeReplies();
  });
});

describe('disconnecting clients', () => {
  it('do not affect later grids and exports, at any moment of disconnection', async () => {
    const { port } = app.server!.address() as AddressInfo;
    for (let afterMs = 0; afterMs < 40; afterMs += 1) {
      const request = get({
        port,
        path: `/api/responses/${surveyId}/grid`,
        headers: { 'X-API-Key': researcher.apiKey! },
      });
      request.on('error', () => undefined);
      await sleep(afterMs);
      request.destroy();
    }
    await expectWholeReplies();
  });
});
