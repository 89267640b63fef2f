import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { type Actor, newOrganization } from '../../support/actors.ts';
import { choice } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

/** Several read chunks. */
const RESPONSES = 1_200;
const ROUNDS = 6;

const app = useApp();
let researcher: Actor;
let surveyId: number;

beforeAll(async () => {
  const { admin } = await newOrganization(app);
  researcher = admin;
  ({ surveyId } = await publishedSurvey(researcher, [[choice('Q1')]]));
  const rows = Array.from({ length: RESPONSES }, () => ({ answers: { Q1: '1' } }));
  await researcher.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
  const derived = { column_code: 'twice', label: 'Twice', type: 'number', expression: 'Q1 * 2' };
  await researcher.post(`/api/responses/${surveyId}/computed-columns`, derived).expect(201);
});

/** Changes Q1 of all responses back and forth until `isOver`; returns the number of changes. */
async function keepChanging(isOver: () => boolean): Promise<number> {
  let changes = 0;
  for (let [from, to] = ['1', '2']; !isOver(); [from, to] = [to, from], changes += 1) {
    const body = { column_code: 'Q1', find: from, replace: to };
    await researcher.post(`/api/responses/${surveyId}/find-replace`, body).expect(200);
  }
  return changes;
}

test('reads exports and grids as of one point in time despite concurrent changes', async () => {
  let isOver = false;
  const changes = keepChanging(() => isOver);
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const request = { format: 'csv', columns: ['Q1', 'twice'] };
      const file = await researcher.post(`/api/responses/${surveyId}/export`, request).expect(200);
      const lines = file.text.trim().split('\r\n').slice(1);
      expect(lines).toHaveLength(RESPONSES);
      expect(new Set(lines).size).toBe(1);
      expect(['1,2', '2,4']).toContain(lines[0]);

      const grid = await researcher.get(`/api/responses/${surveyId}/grid?columns=Q1,twice`).expect(200);
      const rows = grid.body.data.rows.map((row: { values: object }) => JSON.stringify(row.values));
      expect(rows).toHaveLength(RESPONSES);
      expect(new Set(rows).size).toBe(1);
    }
  } finally {
    isOver = true;
  }
  expect(await changes).toBeGreaterThan(2);
});
