import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leastBlockMs, LONGEST_BLOCK_MS, sendLongTexts } from '../../fuzz/long-texts.ts';
import { fuzzedRoutes } from '../../fuzz/requests/valid-request.ts';
import { startTargetInChildProcess } from '../../fuzz/support/child-process-target.ts';
import { closeConnections } from '../../fuzz/support/send.ts';
import type { FuzzTarget } from '../../fuzz/support/target.ts';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useDatabase } from '../support/database.ts';
import { text } from '../support/questions.ts';
import { publishedSurvey } from '../support/surveys.ts';

const database = useDatabase();
const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-long-texts-'));
let target: FuzzTarget;
let organization: Organization;

beforeAll(async () => {
  target = await startTargetInChildProcess(database, path.join(folder, 'files'));
  organization = await newOrganization(target.test);
});
afterAll(async () => {
  closeConnections();
  await target?.end();
  rmSync(folder, { recursive: true, force: true });
});

// Repeated once: on a loaded machine the fixtures may not be created in time.
it('no text in any field of a request blocks the event loop', { timeout: 600_000, retry: 1 }, async () => {
  const routes = fuzzedRoutes().filter(({ unknown }) => unknown === null);
  const { fields, accepted, blocks } = await sendLongTexts(target, { routes, seed: 7, perField: 1 });
  expect(blocks).toEqual([]);
  expect(fields).toBeGreaterThan(500);
  expect(accepted).toBeGreaterThan(100);
});

describe('a file of long texts does not block the event loop', () => {
  const upload = async (path: string, content: string, fields: Record<string, string>, name: string) => {
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) body.append(field, value);
    body.append('file', new Blob([content]), name);
    const reply = await fetch(target.origin + path, {
      method: 'POST',
      headers: { 'X-API-Key': organization.admin.apiKey! },
      body,
    });
    return { status: reply.status, text: await reply.text() };
  };
  const COLUMNS = 5_000;
  const runOf = (unit: string, length: number) => unit.repeat(length).slice(0, length);
  /** A header, and three rows of values. */
  const tableOf = (header: (column: number) => string, cell: (column: number) => string, delimiter = ',') =>
    [header, cell, cell, cell]
      .map((at) => Array.from({ length: COLUMNS }, (_, column) => at(column)).join(delimiter))
      .join('\r\n');
  const UNITS = [' ', '.', '(', 'a', '1', 'Other (', '[a', '- ', '0.'];
  it.each([
    ...UNITS.map((unit): [string, string] => [
      `headers of ${JSON.stringify(unit)}`,
      tableOf(
        (column) => `"q${column} ${runOf(unit, 480)}x"`,
        () => '1',
      ),
    ]),
    ...UNITS.map((unit): [string, string] => [
      `cells of ${JSON.stringify(unit)}`,
      tableOf(
        (column) => `q${column}`,
        () => `"${runOf(unit, 2_000)}x"`,
      ),
    ]),
    ['one cell of a megabyte', `a,b\r\n1,"${runOf('x, ', 1_000_000)}"\r\n`],
    ['one line of delimiters', runOf(';,\t|', 2_000_000)],
    ['lines of blanks', runOf(' \n', 2_000_000)],
    ['open quotes', runOf('"a\n', 2_000_000)],
  ])('%s', { timeout: 120_000 }, async (_what, content) => {
    let status = 0;
    const least = await leastBlockMs(target, async () => {
      ({ status } = await upload('/api/surveys/import-data', content, { dry_run: 'true' }, 'data.csv'));
    });
    expect([200, 400, 413, 422]).toContain(status);
    expect(least).toBeLessThanOrEqual(LONGEST_BLOCK_MS);
  });

  it('2,000 questions with long names', { timeout: 120_000 }, async () => {
    const columns = Array.from({ length: 1_900 }, (_, column) => column);
    const line = (at: (column: number) => string) => columns.map(at).join(',');
    const content = [
      line((column) => `"${column} ${runOf('Other, (please specify) ', 480)}"`),
      ...Array.from({ length: 20 }, (_, row) =>
        line((column) => `"${runOf('Tea, ', 5 * ((row + column) % 9))}x"`),
      ),
    ].join('\n');
    let status = 0;
    const least = await leastBlockMs(target, async () => {
      ({ status } = await upload('/api/surveys/import-data', content, { dry_run: 'true' }, 'data.csv'));
    });
    expect(status).toBe(200);
    expect(least).toBeLessThanOrEqual(LONGEST_BLOCK_MS);
  });

  it('a file that fits neither the columns nor the options of its survey', { timeout: 120_000 }, async () => {
    const options = Array.from({ length: 100 }, (_, option) => ({
      option_label: `Option ${option}, please`,
      option_value: String(option),
    }));
    const { surveyId } = await publishedSurvey(organization.admin, [
      Array.from({ length: 20 }, (_, index) => ({
        question_type: 'multiple_choice',
        question_code: `Q${index + 1}`,
        question_text: 'What?',
        options,
      })),
    ]);
    const content = [
      tableOf(
        (column) =>
          (column < 20 ? `Q${column + 1}` : `${runOf('Option, please ', 480)}${column}`).replaceAll(',', ' '),
        () => '',
      ),
      Array.from({ length: 20 }, () => `"${runOf('Option 7, please, ', 19_000)}x"`).join(','),
    ].join('\r\n');
    let status = 0;
    const least = await leastBlockMs(target, async () => {
      ({ status } = await upload(
        `/api/responses/${surveyId}/import`,
        content,
        { dry_run: 'true' },
        'data.csv',
      ));
    });
    expect(status).toBe(200);
    expect(least).toBeLessThanOrEqual(LONGEST_BLOCK_MS);
  });

  it('answers of blanks and repeated words in a check of their quality', { timeout: 120_000 }, async () => {
    const { surveyId } = await publishedSurvey(organization.admin, [
      [text('Q1', { question_settings: { max_length: 20_000 } })],
    ]);
    const texts = [' ', 'a', 'ab', '\u00a0', '. ', 'Na ', '12'].map((unit) => `x${runOf(unit, 19_990)}x`);
    const rows = Array.from({ length: 140 }, (_, index) => ({
      answers: { Q1: texts[index % texts.length] },
    }));
    await organization.admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
    const least = await leastBlockMs(target, async () => {
      const reply = await fetch(`${target.origin}/api/responses/${surveyId}/quality-check`, {
        method: 'POST',
        headers: { 'X-API-Key': organization.admin.apiKey!, 'Content-Type': 'application/json' },
        body: JSON.stringify({ checks: ['open_end'], dry_run: true }),
      });
      expect(reply.status).toBe(200);
    });
    expect(least).toBeLessThanOrEqual(LONGEST_BLOCK_MS);
  });
});
