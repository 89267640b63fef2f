import { expect, it } from 'vitest';
import { migrate, rollback } from '../../../src/db/migrate.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

/** Rolls migrations back down to and including this one. */
async function undo(name: string): Promise<void> {
  for (;;) {
    const [taken] = await rollback(database.db, false);
    if (taken === undefined || taken.includes(name)) return;
  }
}
const rows = async <T>(sql: string): Promise<T[]> =>
  ((await database.db.raw(sql)) as unknown as { rows: T[] }).rows;

const imported = (measure: string | null) => ({ variable: { name: 'v', label: null, measure } });
const QUESTIONS = [
  ['single_choice', imported('ordinal')],
  ['dropdown', imported('scale')],
  ['single_choice', imported('nominal')],
  ['single_choice', imported(null)],
  ['single_choice', {}],
  ['number', imported('ordinal')],
] as const;
/** What is there of `measure` after the migration. */
const MEASURES = ['ordinal', 'scale', null, null, null, null];

it('gives imported choices the measure of their file, in drafts and published versions, and takes it back', async () => {
  await undo('measure-of-choices');
  await database.db.raw(`
    INSERT INTO organizations (organization_id, organization_name, organization_slug) VALUES (1, 'O', 'o');
    INSERT INTO users (user_id, organization_id, user_email, user_name, password_hash, user_role)
      VALUES (1, 1, 'a@o.example', 'A', 'x', 'admin');
    INSERT INTO workspaces (workspace_id, organization_id, owner_id, workspace_name) VALUES (1, 1, 1, 'W');
    INSERT INTO surveys (survey_id, organization_id, workspace_id, survey_name, created_by) VALUES (1, 1, 1, 'S', 1);
    INSERT INTO survey_pages (page_id, organization_id, survey_id, page_order) VALUES (1, 1, 1, 1);
  `);
  for (const [index, [type, settings]] of QUESTIONS.entries())
    await database.db.raw(
      `INSERT INTO questions (organization_id, survey_id, page_id, question_order, question_type, question_text, question_code, question_settings)
       VALUES (1, 1, 1, ?, ?, 'Q', ?, ?)`,
      [index + 1, type, `Q${index + 1}`, JSON.stringify(settings)],
    );
  const definition = {
    surveyId: 1,
    version: 1,
    pages: [
      { id: 2, questions: [] },
      { id: 1, questions: QUESTIONS.map(([type, settings], index) => ({ id: index, type, settings })) },
    ],
  };
  await database.db.raw(
    `INSERT INTO survey_versions (organization_id, survey_id, version, definition, published_by) VALUES (1, 1, 1, ?, 1)`,
    [JSON.stringify(definition)],
  );
  const drafts = () =>
    rows<{ s: object }>('SELECT question_settings AS s FROM questions ORDER BY question_order');
  const versions = () => rows<{ definition: typeof definition }>('SELECT definition FROM survey_versions');
  const before = [await drafts(), await versions()];

  await migrate(database.db);
  const withMeasure = QUESTIONS.map(([, settings], index) =>
    MEASURES[index] === null ? settings : { ...settings, measure: MEASURES[index] },
  );
  expect((await drafts()).map(({ s }) => s)).toEqual(withMeasure);
  const [version] = await versions();
  expect(version!.definition.pages.map(({ id }) => id)).toEqual([2, 1]);
  expect(version!.definition.pages[1]!.questions.map(({ settings }) => settings)).toEqual(withMeasure);

  await undo('measure-of-choices');
  expect([await drafts(), await versions()]).toEqual(before);
});
