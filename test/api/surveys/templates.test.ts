import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';

const FOLDER = 'src/web/studio/templates';
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

const author = useOrganization(useApp()).admin;

it('ships eight templates', () => expect(FILES).toHaveLength(8));

/** Templates with texts that only the author can write; the check finds those that are left. */
const TO_COMPLETE: ReadonlySet<string> = new Set(['brand-tracker.json', 'concept-test.json']);

it.each(FILES)('%s is imported without problems and can be published as it is', async (name) => {
  const file = JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as object;
  const { body } = await author.post('/api/surveys/import', file);
  expect(body).toMatchObject({ success: 1 });
  const check = await author.get(`/api/surveys/${body.data.survey_id}/publish-check`).expect(200);
  const { warnings, ...outcome } = check.body.data as { warnings: { code: string }[] };
  expect(outcome).toEqual({ publishable: true, problems: [] });
  const codes = [...new Set(warnings.map(({ code }) => code))];
  expect(codes).toEqual(TO_COMPLETE.has(name) ? ['leftover_text'] : []);
});
