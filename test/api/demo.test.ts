import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, requestTo } from '../support/actors.ts';
import { useApp } from '../support/app.ts';

const app = useApp();
let admin: Actor;
let surveyId: number;

/** Loads the demo as the first start does. */
beforeAll(async () => {
  const { organizationId, workspaceId, admin: administrator } = await newOrganization(app);
  admin = administrator;
  await app.container.demo.load({ organizationId, workspaceId, userId: admin.userId, role: 'owner' });
  const { body } = await admin.get('/api/surveys').expect(200);
  surveyId = body.data.find((survey: { survey_name: string }) =>
    survey.survey_name.includes('concept'),
  ).survey_id;
});

describe('the concept test of the demo', () => {
  it('has nothing that the publish check reports', async () => {
    const { body } = await admin.get(`/api/surveys/${surveyId}/publish-check`).expect(200);
    expect(body.data).toMatchObject({ problems: [], warnings: [] });
  });

  it('shows each concept with a picture that anyone can open', async () => {
    const { body } = await admin.get(`/api/surveys/${surveyId}`).expect(200);
    const statements = body.data.questions.filter(
      ({ question_type: type }: { question_type: string }) => type === 'statement',
    );
    expect(statements).toHaveLength(2);
    for (const { question_settings: settings } of statements) {
      const { headers } = await requestTo(app, 'get', settings.image_url).expect(200);
      expect(headers['content-type']).toBe('image/png');
    }
  });

  it('has test responses whose liking of the concepts differs', async () => {
    const { body } = await admin
      .post(`/api/responses/${surveyId}/crosstab`, {
        rows: ['buy'],
        columns: ['CONCEPT_arm'],
        statistics: ['means', 'letters'],
        include_test: true,
      })
      .expect(200);
    const [table] = body.data.tables;
    expect(table.columns.map(({ label }: { label: string }) => label)).toEqual(['Oat drink', 'Cold brew']);
    expect(table.mean.cells.map(({ letters }: { letters: string[] }) => letters)).toEqual([[], ['A']]);
  });

  it('asks each respondent about two known brands at most', async () => {
    const { body } = await admin
      .get(
        `/api/responses/${surveyId}/grid?include_test=true&limit=400&columns=like[1],like[2],like[3],like[4]`,
      )
      .expect(200);
    const counts = body.data.rows.map(
      ({ values }: { values: Record<string, unknown> }) =>
        Object.values(values).filter((value) => typeof value === 'number').length,
    );
    expect(new Set(counts)).toEqual(new Set([0, 1, 2]));
  });
});
