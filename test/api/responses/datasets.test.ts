import { beforeAll, describe, expect, test } from 'vitest';
import type { ColumnCatalog } from '../../../src/domain/dataset/column-catalog.ts';
import { Store } from '../../../src/repositories/store.ts';
import { DatasetService } from '../../../src/services/datasets/datasets.ts';
import { notFound } from '../../../src/lib/errors.ts';
import { useApp } from '../../support/app.ts';
import { type Actor, newOrganization } from '../../support/actors.ts';
import { choice, number, text } from '../../support/questions.ts';
import { addQuestion, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const surveyIds: number[] = [];

let author: Actor;
beforeAll(async () => {
  const { admin } = await newOrganization(app);
  author = admin;
  for (const name of ['First', 'Second']) {
    const { surveyId } = await publishedSurvey(admin, {
      survey_name: name,
      pages: [[choice('Q1'), number('Q2'), text('Why')]],
    });
    surveyIds.push(surveyId);
    const rows = Array.from({ length: 50 }, (_, index) => ({
      answers: { Q1: String(1 + (index % 3)), Q2: index, Why: `${index} ${'because '.repeat(100)}` },
    }));
    await admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
  }
});

const createService = (maxBytes: number) => new DatasetService(new Store(app.database.db), maxBytes);

describe('cached datasets', () => {
  test('are reused, and load a question on first use', async () => {
    const service = createService(1e9);
    const first = await service.open(surveyIds[0]!, () => ['Q1']);
    expect(first.dataset.isLoaded('Q2')).toBe(false);
    const second = await service.open(surveyIds[0]!, () => ['Q2']);
    expect(second.dataset).toBe(first.dataset);
    expect(second.dataset.isLoaded('Q1') && second.dataset.isLoaded('Q2')).toBe(true);
    expect(second.dataset.column('Q2').cell(49)).toBe(49);
  });

  test('are evicted when memory is full, least recently used first', async () => {
    const service = createService(1);
    const before = await service.open(surveyIds[0]!, () => ['Q1']);
    await service.open(surveyIds[1]!, () => ['Q1']);
    const after = await service.open(surveyIds[0]!, () => ['Q1']);
    expect(after.dataset).not.toBe(before.dataset);
    expect(after.dataset.rowCount).toBe(50);
  });

  test('lose single columns when memory is full, least recently used first', async () => {
    const service = createService(16_000);
    const first = await service.open(surveyIds[0]!, () => ['Q1']);
    const second = await service.open(surveyIds[0]!, () => ['Q2']);
    expect(second.dataset.isLoaded('Q1')).toBe(false);
    expect(second.dataset.column('Q2').cell(49)).toBe(49);
    // Earlier readers keep the columns that they opened.
    expect(first.dataset.column('Q1').cell(49)).toBe('2');
    const reopened = await service.open(surveyIds[0]!, () => ['Q1', 'Q2']);
    expect([reopened.dataset.column('Q1').cell(49), reopened.dataset.column('Q2').cell(49)]).toEqual([
      '2',
      49,
    ]);
    expect(service.memoryUsage).toMatchObject({ datasets: 1, columns: 2, evictedDatasets: 0 });
    expect(service.memoryUsage.evictedColumns).toBeGreaterThan(0);
  });

  test('larger than the limit serve one request completely and shrink with the next', async () => {
    const service = createService(16_000);
    const { dataset: all } = await service.open(surveyIds[0]!, () => ['Q1', 'Q2', 'started_at']);
    expect(['Q1', 'Q2', 'started_at'].every((code) => all.isLoaded(code))).toBe(true);
    const { dataset: one } = await service.open(surveyIds[0]!, () => ['Q1']);
    expect(['Q1', 'Q2', 'started_at'].map((code) => one.isLoaded(code))).toEqual([true, false, false]);
  });

  test('lose texts first when these exceed their share', async () => {
    const service = createService(300_000);
    const { dataset: full } = await service.open(surveyIds[0]!, () => ['Q1', 'Q2', 'Why']);
    expect(full.isLoaded('Why')).toBe(true);
    const { dataset } = await service.open(surveyIds[0]!, () => ['response_status']);
    expect(['Q1', 'Q2', 'Why', 'response_status'].map((code) => dataset.isLoaded(code))).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(service.memoryUsage.bytes.texts).toBe(0);
  });

  test('update the revision for readers of evicted columns when responses change', async () => {
    const service = createService(16_000);
    const { dataset: first } = await service.open(surveyIds[1]!, () => ['Q1']);
    const { revision } = first;
    const { dataset: second } = await service.open(surveyIds[1]!, () => ['Q2']);
    expect(second).not.toBe(first);
    const { responseIds } = first;
    await app.database.db.raw(`UPDATE responses SET answers = answers || '{"Q2": 7}' WHERE response_id = ?`, [
      responseIds[0]!,
    ]);
    await service.open(surveyIds[1]!, () => ['Q2']);
    expect(first.revision).toBeGreaterThan(revision);
  });

  test('serve concurrent requests together, and an invalid one fails alone', async () => {
    const service = createService(1e9);
    const invalid = service.open(surveyIds[0]!, () => {
      throw notFound('column');
    });
    const [q1, q2, failure] = await Promise.allSettled([
      service.open(surveyIds[0]!, () => ['Q1']),
      service.open(surveyIds[0]!, () => ['Q2']),
      invalid,
    ]);
    expect([q1.status, q2.status, failure.status]).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  test('are rejected for a missing survey without affecting the next request', async () => {
    const service = createService(1e9);
    await expect(service.open(999_999_999, () => [])).rejects.toThrow('No such survey');
    expect((await service.open(surveyIds[0]!, () => [])).dataset.rowCount).toBe(50);
  });

  test('keep the definitions that a reader started with when derived columns and questions change', async () => {
    const base = `/api/responses/${surveyIds[0]}`;
    const column = { column_code: 'TWICE', expression: 'Q2 * 2' };
    await author.post(`${base}/computed-columns`, column).expect(201);
    const service = createService(1e9);
    const findNeeds = (catalog: ColumnCatalog) => ({ loadCodes: catalog.find('TWICE')!.loadCodes });
    const first = await service.openFor(surveyIds[0]!, findNeeds);
    const twice = first.catalog.find('TWICE')!;
    await author.patch(`${base}/derived-columns/TWICE`, { expression: 'Q2 * 3' }).expect(200);
    const [changed, unchanged] = await Promise.all([
      service.openFor(surveyIds[0]!, findNeeds),
      service.openFor(surveyIds[0]!, findNeeds, first),
    ]);
    expect(changed.dataset.column('TWICE').cell(7)).toBe(21);
    for (const { dataset } of [first, unchanged]) expect(dataset.column(twice).cell(7)).toBe(14);

    await author.delete(`${base}/derived-columns/TWICE`).expect(204);
    await app.database.db.raw(
      `UPDATE responses SET answers = answers || '{"Q2": 70}' WHERE response_id = ?`,
      [first.dataset.responseIds[7]!],
    );
    const deleted = await service.openFor(surveyIds[0]!, findNeeds, first);
    expect(deleted.dataset.column(twice).cell(7)).toBe(140);
    expect((await service.open(surveyIds[0]!, () => [])).catalog.find('TWICE')).toBeUndefined();

    const { body: pages } = await author.get(`/api/surveys/${surveyIds[0]}/pages`).expect(200);
    await addQuestion(author, surveyIds[0]!, pages.data[0].page_id, {
      question_type: 'number',
      question_code: 'Q9',
    });
    const otherQuestions = await service.openFor(surveyIds[0]!, findNeeds, first);
    expect(otherQuestions.dataset.column(twice).cell(7)).toBe(140);
    expect(otherQuestions.catalog.question('Q9')).toBeUndefined();
  });
});
