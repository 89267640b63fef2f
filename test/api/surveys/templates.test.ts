import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';

const FOLDER = 'src/web/studio/templates';
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

const author = useOrganization(useApp()).admin;

it('ships eight templates', () => expect(FILES).toHaveLength(8));

it.each(FILES)('%s is imported without problems and can be published as it is', async (name) => {
  const file = JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as object;
  const { body } = await author.post('/api/surveys/import', file);
  expect(body).toMatchObject({ success: 1 });
  const check = await author.get(`/api/surveys/${body.data.survey_id}/publish-check`).expect(200);
  expect(check.body.data).toEqual({ publishable: true, problems: [], warnings: [] });
});
