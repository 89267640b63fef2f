import { expect, it } from 'vitest';
import { anonymous, newOrganization } from '../../support/actors.ts';
import { appOn } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { useFakeS3 } from '../../support/fake-s3.ts';
import { startResponse } from '../../support/start-response.ts';
import { fileQuestion } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { countFileRows, storedFiles, uploadFile } from '../../support/uploaded-files.ts';
import { expectRefused } from '../../support/refusals.ts';
import { PNG } from '../../support/sample-files.ts';

const s3 = useFakeS3({ accessKeyId: 'AKIDEXAMPLE' });
const database = useDatabase();

it('stores files in a bucket if configured, and returns 503 while it is unavailable', async () => {
  const test = appOn(database, {
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: 'canvass',
    S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    S3_SECRET_ACCESS_KEY: 'a-secret-that-only-tests-have',
  });
  const author = (await newOrganization(test)).admin;
  const survey = await publishedSurvey(author, [[fileQuestion('PHOTO', { max_files: 2 })]]);
  const response = await startResponse(anonymous(test), survey.linkToken);
  const id = await uploadFile(response, 'PHOTO', PNG, 'a.png');
  await response.complete({ PHOTO: [id] }).expect(200);
  expect([...s3.objects.values()]).toEqual([PNG]);
  expect([...s3.objects.keys()][0]).toMatch(/^\/canvass\/files\/[0-9a-f-]{36}$/);
  expect(storedFiles(test)).toEqual([]);
  const address = `/api/responses/${survey.surveyId}/files/${id}`;
  expect((await author.get(address).expect(200)).body).toEqual(PNG);

  s3.broken = true;
  await expectRefused(author.get(address), 503, 'file_storage_unavailable');
  const other = await startResponse(anonymous(test), survey.linkToken);
  await expectRefused(other.upload('PHOTO', PNG, 'b.png'), 503, 'file_storage_unavailable');
  s3.broken = false;
  // The row of what could not be removed either is left for the sweep.
  expect(await countFileRows(test)).toBe(2);
  await database.db.raw(`UPDATE response_files SET created_at = now() - interval '2 days'`);
  expect(await test.container.services.fileSweep.run()).toBe(1);
  expect(await countFileRows(test)).toBe(1);
});
