import { beforeAll, describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { useUnchangedCheck } from '../../support/permission-matrix/unchanged-check.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { draftSurvey, type TestSurvey } from '../../support/surveys.ts';

const test = useApp();
const { admin } = useOrganization(test);
let survey: TestSurvey;

const QUESTIONS = [{ question_type: 'single_choice', options: ['Yes', 'No'] }, { question_type: 'text' }];

beforeAll(async () => {
  survey = await draftSurvey(admin, [QUESTIONS]);
});
const stored = useUnchangedCheck(test);

describe('invalid field values', () => {
  const WRONG_SURVEY: [string, unknown][] = [
    ['survey_name', 1],
    ['survey_name', null],
    ['survey_name', '  '],
    ['survey_name', 'x'.repeat(501)],
    ['survey_name', { $ne: 1 }],
    ['survey_name', ['a']],
    ['survey_name', 'a\0b'],
    ['survey_description', 5],
    ['survey_description', 'x'.repeat(10_001)],
    ['survey_type', 'survey'],
    ['survey_type', null],
    ['workspace_id', '1'],
    ['workspace_id', 1.5],
    ['workspace_id', -1],
    ['workspace_id', { $gt: 0 }],
    ['survey_settings.colour', '#ffffff'],
    ['survey_settings.color', 'red'],
    ['survey_settings.redirect_url', 'javascript:alert(1)'],
    ['survey_settings.default_language', 'english please'],
    ['quality_settings.speeder.ratio', 0],
    ['quality_settings.speeder.ratio', '0.5'],
    ['quality_settings.speeder.rtaio', 0.5],
    ['quality_settings.action', 'delete'],
    ['quality_settings.attention_checks[0].expected', 5],
  ];

  it.each(WRONG_SURVEY)('%s rejects %j', async (field, value) => {
    const body = { survey_name: 'Fine', ...nested(field, value) };
    await expectInvalidField(admin.post('/api/surveys', body), field);
    await expectInvalidField(admin.put(`/api/surveys/${survey.surveyId}`, body), field);
    await stored.expectUnchanged();
  });

  it.each([
    ['survey_status', 4],
    ['survey_status', '2'],
    ['survey_status', null],
    ['survey_status', { $gt: 0 }],
  ])('%s rejects the value %j', async (field, value) => {
    await expectInvalidField(admin.put(`/api/surveys/${survey.surveyId}`, { [field]: value }), field);
    await stored.expectUnchanged();
  });

  it.each([
    ['page_title', 1],
    ['page_title', 'x'.repeat(501)],
    ['page_description', ['a']],
    ['page_logic.display.operator', 'like'],
    ['page_logic.jump', 1],
  ])("a page's %s rejects %j", async (field, value) => {
    const body = nested(field, value);
    const url = `/api/surveys/${survey.surveyId}/pages`;
    const replies = [admin.post(url, body), admin.put(`${url}/${survey.pageIds[0]}`, body)];
    for (const request of replies) {
      const { details } = await expectRefused(request, 400, 'validation_failed');
      expect(details[0]!.field.startsWith('page_')).toBe(true);
    }
    await stored.expectUnchanged();
  });

  it.each<[string, unknown]>([
    ['question_text', ''],
    ['question_text', 5],
    ['question_text', 'x'.repeat(10_001)],
    ['question_type', 'essay'],
    ['question_type', 'constructor'],
    ['question_type', null],
    ['question_code', 'Q 1'],
    ['question_code', '1Q'],
    ['question_code', 'Q1_'],
    ['question_code', 'WITH'],
    ['question_code', 'response_id'],
    ['question_code', "Q1'; DROP TABLE questions;--"],
    ['question_code', 'constructor'],
    ['question_code', 5],
    ['question_required', 'yes'],
    ['question_settings.max_lenght', 5],
    ['question_settings.max_length', '5'],
    ['question_settings.pattern', '(a'],
    ['options', 'Yes'],
    ['options', ['A', 'B']],
    ['page_id', 0],
    ['page_id', '1'],
    ['page_id', MISSING_ID],
    ['retired', 1],
  ])("a question's %s rejects %j", async (field, value) => {
    const url = `/api/surveys/${survey.surveyId}/questions`;
    const format = field.endsWith('pattern')
      ? { question_settings: { format: 'regex', pattern: value } }
      : {};
    const body = { ...nested(field, value), ...format };
    const create = { page_id: survey.pageIds[0], question_type: 'text', question_text: 'Why?', ...body };
    const requests = [admin.post(url, create), admin.put(`${url}/${survey.questionIds.Q2!}`, body)];
    for (const request of requests) {
      const { details } = await expectRefused(request, 400, 'validation_failed');
      expect(details.some((detail) => detail.field.startsWith(field))).toBe(true);
    }
    await stored.expectUnchanged();
  });

  it.each<[string, unknown]>([
    ['option_label', ''],
    ['option_label', 5],
    ['option_image', 'javascript:alert(1)'],
    ['option_image', 'file:///etc/passwd'],
    ['option_value', { $ne: 1 }],
    ['option_code', 1.5],
    ['option_exclusive', 'yes'],
    ['option_colour', 'red'],
  ])("an option's %s rejects %j", async (field, value) => {
    const url = `/api/surveys/${survey.surveyId}/questions/${survey.questionIds.Q1!}`;
    const { details } = await expectRefused(
      admin.put(url, { options: [{ option_label: 'Fine', [field]: value }] }),
      400,
    );
    expect(details[0]!.field).toMatch(/^options\[0\]/);
    await stored.expectUnchanged();
  });
});

it.each([
  ['limit=0', 'limit'],
  ['limit=1001', 'limit'],
  ['limit=1&limit=2', 'limit'],
  ['page=1&cursor=MQ', 'page'],
  ['cursor=nonsense', 'cursor'],
  ['cursor=WyItc3VydmV5X2lkIiwiYSIsMV0', 'cursor'],
  ['cursor=WyItc3VydmV5X2lkIiwxLDFlMzA5XQ', 'cursor'],
  ['sort=created_by', 'sort'],
  ['sort=survey_name;--', 'sort'],
  ['sort=constructor', 'sort'],
  ['sort[0][x]=survey_name', 'sort[0][x]'],
  ['status=0', 'status'],
  ['status=Draft', 'status'],
  ['search=a&search=b', 'search'],
  ['search=%00', 'search'],
  ['workspace_id=1.5', 'workspace_id'],
])('rejects a list query with %s', async (query, field) => {
  await expectInvalidField(admin.get(`/api/surveys?${query}`), field);
});

/** `a.b[0].c` and a value as an object. */
function nested(path: string, value: unknown): Record<string, unknown> {
  const [first, ...rest] = path.split('.') as [string, ...string[]];
  const inner = rest.length === 0 ? value : nested(rest.join('.'), value);
  return first.endsWith('[0]') ? { [first.slice(0, -3)]: [inner] } : { [first]: inner };
}
