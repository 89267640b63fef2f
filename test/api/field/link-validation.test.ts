import { beforeAll, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { useUnchangedCheck } from '../../support/permission-matrix/unchanged-check.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { draftSurvey, type TestSurvey } from '../../support/surveys.ts';

const test = useApp();
const { admin } = useOrganization(test);
let survey: TestSurvey;
beforeAll(async () => {
  survey = await draftSurvey(admin, [[{ question_type: 'text' }]]);
});
const stored = useUnchangedCheck(test);

it.each([
  ['link_type', 'closed'],
  ['link_quota', 0],
  ['link_quota', 1.5],
  ['link_quota', '5'],
  ['expires_at', 'tomorrow'],
  ['expires_at', '2030-02-30T00:00:00Z'],
  ['expires_at', '2030-01-01T00:00:00'],
  ['link_name', ' '],
])("rejects a link's %s of %j", async (field, value) => {
  await expectInvalidField(admin.post(`/api/surveys/${survey.surveyId}/links`, { [field]: value }), field);
  await stored.expectUnchanged();
});
