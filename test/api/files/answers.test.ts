import { randomUUID } from 'node:crypto';
import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { fileQuestion } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { countFileRows, storedFiles, uploadFile } from '../../support/uploaded-files.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { GIF, PNG } from '../../support/sample-files.ts';

const test = useApp();
const author = useOrganization(test).admin;
let survey: PublishedSurvey;

beforeAll(async () => {
  survey = await publishedSurvey(author, [
    [fileQuestion('PHOTO', { max_files: 3 }), fileQuestion('PAPER', { max_files: 3 })],
  ]);
});

async function storedAnswers(responseId: number): Promise<unknown> {
  const result: { rows: { answers: unknown }[] } = await test.database.db.raw(
    'SELECT answers FROM responses WHERE response_id = ?',
    [responseId],
  );
  return result.rows[0]!.answers;
}

describe('a file answer refers only to files of its own response and question', () => {
  it('when pages are saved and when the response is completed', async () => {
    const other = await startResponse(anonymous(test), survey.linkToken);
    const foreign = await uploadFile(other, 'PHOTO', PNG, 'theirs.png');
    const response = await startResponse(anonymous(test), survey.linkToken);
    const mine = await uploadFile(response, 'PHOTO', PNG, 'mine.png');
    for (const send of [
      (answers: object) => response.save(answers),
      (answers: object) => response.complete(answers),
    ]) {
      await expectInvalidField(send({ PHOTO: [mine, foreign] }), 'answers.PHOTO[1]');
      await expectInvalidField(send({ PHOTO: [randomUUID()] }), 'answers.PHOTO[0]');
      await expectInvalidField(send({ PAPER: [mine] }), 'answers.PAPER[0]');
    }
    expect(await storedAnswers(response.responseId)).toEqual({});
    await response.save({ PHOTO: [mine.toUpperCase()] }).expect(200);
    await response.complete().expect(200);
    expect(await storedAnswers(response.responseId)).toMatchObject({ PHOTO: [mine] });
  });

  it('is rejected before a response exists to upload for', async () => {
    const submit = (status: string) =>
      supertest(test.app)
        .post(`/api/public/s/${survey.linkToken}/responses`)
        .send({ answers: { PHOTO: [randomUUID()] }, status });
    await expectInvalidField(submit('complete'), 'answers.PHOTO[0]');
    await expectInvalidField(submit('partial'), 'answers.PHOTO[0]');
    const rows = [{ answers: { PHOTO: [randomUUID()] } }];
    await expectInvalidField(
      author.post(`/api/responses/${survey.surveyId}/rows`, { rows }),
      'rows[0].answers.PHOTO[0]',
    );
  });

  it('rejects a deleted file', async () => {
    const response = await startResponse(anonymous(test), survey.linkToken);
    const [keptFile, deletedFile] = [
      await uploadFile(response, 'PHOTO', PNG, 'kept.png'),
      await uploadFile(response, 'PHOTO', GIF, 'gone.gif'),
    ];
    await response.save({ PHOTO: [keptFile, deletedFile] }).expect(200);
    await supertest(test.app).delete(`${response.address}/files/${deletedFile}`).expect(204);
    expect(await storedAnswers(response.responseId)).toEqual({ PHOTO: [keptFile] });
    await expectInvalidField(response.save({ PHOTO: [deletedFile] }), 'answers.PHOTO[0]');
    await supertest(test.app).delete(`${response.address}/files/${keptFile}`).expect(204);
    expect(await storedAnswers(response.responseId)).toEqual({ PHOTO: null });
    await response.complete().expect(200);
  });
});

describe('deleting an uploaded file', () => {
  it('removes its bytes and succeeds only once', async () => {
    const before = [storedFiles(test), await countFileRows(test)];
    const response = await startResponse(anonymous(test), survey.linkToken);
    const id = await uploadFile(response, 'PHOTO', PNG, 'a.png');
    await supertest(test.app).delete(`${response.address}/files/${id}`).expect(204);
    expect([storedFiles(test), await countFileRows(test)]).toEqual(before);
    await expectRefused(supertest(test.app).delete(`${response.address}/files/${id}`), 404);
  });

  it('is rejected for other respondents, after completion, and for a malformed id', async () => {
    const response = await startResponse(anonymous(test), survey.linkToken);
    const other = await startResponse(anonymous(test), survey.linkToken);
    const id = await uploadFile(response, 'PHOTO', PNG, 'a.png');
    await expectRefused(supertest(test.app).delete(`${other.address}/files/${id}`), 404);
    await expectRefused(supertest(test.app).delete(`${response.address}/files/..%2f${id}`), 400);
    const { body } = await supertest(test.app).get(`${other.address}/files`).expect(200);
    expect(body.data).toEqual([]);
    await response.complete({ PHOTO: [id] }).expect(200);
    await expectRefused(supertest(test.app).delete(`${response.address}/files/${id}`), 409, 'response_ended');
    await author.get(`/api/responses/${survey.surveyId}/files/${id}`).expect(200);
  });
});

describe('the file cleanup', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const age = (fileId: string, days: number) =>
    test.database.db.raw(`UPDATE response_files SET created_at = ? WHERE file_id = ?`, [
      new Date(Date.now() - days * DAY_MS),
      fileId,
    ]);
  const isThere = async (fileId: string) => {
    const result: { rows: { stored_name: string }[] } = await test.database.db.raw(
      'SELECT stored_name FROM response_files WHERE file_id = ?',
      [fileId],
    );
    const row = result.rows[0];
    return row === undefined ? false : storedFiles(test).some((name) => name.endsWith(row.stored_name));
  };

  it('removes only unreferenced files that are old enough', async () => {
    const ended = await startResponse(anonymous(test), survey.linkToken);
    const handedIn = await uploadFile(ended, 'PHOTO', PNG, 'a.png');
    const notHandedIn = await uploadFile(ended, 'PHOTO', PNG, 'b.png');
    const fresh = await uploadFile(ended, 'PHOTO', PNG, 'c.png');
    await ended.complete({ PHOTO: [handedIn] }).expect(200);
    const open = await startResponse(anonymous(test), survey.linkToken);
    const abandoned = await uploadFile(open, 'PHOTO', PNG, 'a.png');
    const gaveUp = await uploadFile(open, 'PHOTO', PNG, 'b.png');
    const saved = await uploadFile(open, 'PHOTO', PNG, 'c.png');
    await open.save({ PHOTO: [saved] }).expect(200);
    const broken = await uploadFile(open, 'PAPER', PNG, 'broken.png');
    await test.database.db.raw('UPDATE response_files SET stored_at = NULL WHERE file_id = ?', [broken]);
    for (const id of [handedIn, saved]) await age(id, 400);
    for (const id of [notHandedIn, broken, abandoned]) await age(id, 2);
    await age(gaveUp, 31);

    expect(await test.container.services.fileSweep.run()).toBe(4);
    for (const id of [notHandedIn, broken, abandoned, gaveUp]) expect(await isThere(id)).toBe(false);
    for (const id of [handedIn, fresh, saved]) expect(await isThere(id)).toBe(true);
    expect(await test.container.services.fileSweep.run()).toBe(0);
  });

  it('removes files of purged responses and keeps those of restorable ones', async () => {
    const responses = [
      await startResponse(anonymous(test), survey.linkToken),
      await startResponse(anonymous(test), survey.linkToken),
    ] as const;
    const [erased, restorable] = await Promise.all(
      responses.map(async (response) => {
        const id = await uploadFile(response, 'PHOTO', PNG, 'a.png');
        await response.complete({ PHOTO: [id] }).expect(200);
        await age(id, 2);
        return id;
      }),
    );
    await test.database.db.raw('DELETE FROM responses WHERE response_id = ?', [responses[0].responseId]);
    await test.database.db.raw('UPDATE responses SET deleted_at = now() WHERE response_id = ?', [
      responses[1].responseId,
    ]);
    expect(await test.container.services.fileSweep.run()).toBe(1);
    expect(await isThere(erased!)).toBe(false);
    expect(await isThere(restorable!)).toBe(true);
  });
});
