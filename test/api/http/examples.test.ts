import { expect, it } from 'vitest';
import type { Test } from 'supertest';
import { routes } from '../../../src/routes/index.ts';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';

const test = useApp();
const organization = useOrganization(test);

/** One request: the examples of an operation, one after the other. */
interface Step {
  operationId: string;
  /** Of several examples these; default: all. */
  names?: readonly string[];
  /** How often each is sent; default once. */
  times?: number;
  /** The ids that the reply holds, by their name: of what was made, or of a list in the reply. */
  makes?: readonly string[];
  /** Path parameters: a text as it is, or the number of an id; default: 1, of a user 2. */
  params?: Readonly<Record<string, string | number>>;
  /** Statuses of the reply; default: that of the route. */
  statuses?: readonly number[];
}

/** A user's work from the first survey to the report. Ids in examples count what was made before: `survey_id: 1` is the first survey. */
const STEPS: readonly Step[] = [
  { operationId: 'createWorkspace' },
  { operationId: 'updateOrganization' },
  { operationId: 'createUser', makes: ['user_id'] },
  { operationId: 'updateUser' },
  { operationId: 'setUserAiAccess' },
  { operationId: 'setUserAvatar' },
  { operationId: 'createInviteLink' },
  { operationId: 'createGroup', makes: ['group_id'] },
  { operationId: 'updateGroup' },
  { operationId: 'addGroupMembers' },
  { operationId: 'createSurvey', makes: ['survey_id'] },
  { operationId: 'createPage', times: 2, makes: ['page_id'] },
  { operationId: 'createQuestion', makes: ['question_id'] },
  { operationId: 'updateQuestion' },
  { operationId: 'reorderQuestions' },
  { operationId: 'updatePage', params: { pageId: 2 } },
  { operationId: 'reorderPages' },
  { operationId: 'updateSurvey' },
  { operationId: 'updateQualitySettings' },
  { operationId: 'importSurvey' },
  { operationId: 'publishSurvey', makes: ['links.link_id', 'links.link_token'] },
  { operationId: 'createSurveyLink' },
  { operationId: 'updateSurveyLink' },
  { operationId: 'changeLinks' },
  { operationId: 'createRespondent', makes: ['respondent_id'] },
  { operationId: 'updateRespondent' },
  { operationId: 'inviteToSurvey' },
  { operationId: 'createWave', makes: ['wave_id'] },
  { operationId: 'updateWave' },
  { operationId: 'setWaveQuotas' },
  { operationId: 'submitResponse', makes: ['response_id'] },
  { operationId: 'addResponses', makes: ['response_ids'] },
  { operationId: 'addComment' },
  { operationId: 'editResponse' },
  { operationId: 'editResponses' },
  { operationId: 'findAndReplace' },
  { operationId: 'restoreOriginals' },
  { operationId: 'seedResponses' },
  { operationId: 'recodeColumns' },
  { operationId: 'normalizeColumns' },
  { operationId: 'standardizeColumns' },
  { operationId: 'winsorizeColumns' },
  { operationId: 'binColumns' },
  { operationId: 'cleanTexts' },
  { operationId: 'addComputedColumn' },
  { operationId: 'changeDerivedColumn', params: { columnCode: 'age_group' } },
  { operationId: 'crosstabResponses' },
  { operationId: 'getDistribution', params: { columnCode: 'Q4' } },
  { operationId: 'getGrid' },
  { operationId: 'previewWeighting' },
  { operationId: 'createWeighting' },
  { operationId: 'refreshWeight', params: { columnCode: 'WEIGHT' } },
  { operationId: 'exportResponses' },
  { operationId: 'checkQuality' },
  { operationId: 'changeResponses' },
  { operationId: 'reviewQualityFlags' },
  { operationId: 'createDashboard', makes: ['dashboard_id'] },
  { operationId: 'createDashboardPage', times: 2, makes: ['dashboard_page_id'] },
  { operationId: 'createDashboardChart', makes: ['chart_id'] },
  { operationId: 'updateDashboardChart' },
  { operationId: 'reorderDashboardCharts' },
  { operationId: 'updateDashboardPage' },
  { operationId: 'reorderDashboardPages' },
  { operationId: 'updateDashboard' },
  { operationId: 'getChartData' },
  { operationId: 'getChartDataBatch' },
  { operationId: 'createDashboardShare' },
  { operationId: 'setUserDashboards' },
  { operationId: 'setGroupDashboards' },
  { operationId: 'duplicateDashboard' },
  { operationId: 'createReport', makes: ['report_id'] },
  { operationId: 'createReportSlide', makes: ['slide_id'] },
  { operationId: 'updateReportSlide' },
  { operationId: 'reorderReportSlides' },
  { operationId: 'updateReport' },
  { operationId: 'duplicateReport' },
  { operationId: 'createReportFromDashboard' },
  { operationId: 'createChatSession' },
  { operationId: 'chat' },
  { operationId: 'analyzeSentiment' },
  { operationId: 'findThemes' },
  { operationId: 'classifyTexts' },
  { operationId: 'suggestCategories' },
  { operationId: 'summarizeTexts' },
  { operationId: 'findInsights' },
  { operationId: 'findAnomalies' },
];

/** Real ids and tokens by name; the first of them is number 1 of the examples. */
const createdIds = new Map<string, (number | string)[]>();
const realId = (name: string, number: number): number | string =>
  createdIds.get(name)?.[number - 1] ?? number;

/** `page_id` of a dashboard is another than that of a survey. */
const nameOf = (path: string, name: string): string =>
  name === 'page_id' && path.startsWith('/api/dashboards') ? 'dashboard_page_id' : name;

/** The example with the ids of what was made. */
function withRealIds(value: unknown, path: string, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withRealIds(item, path, name.replace(/_ids$/, '_id')));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, withRealIds(member, path, key)]),
    );
  return typeof value === 'number' && name.endsWith('_id') ? realId(nameOf(path, name), value) : value;
}

const FAMILIES: readonly (readonly [prefix: string, name: string])[] = [
  ['/api/surveys/waves', 'wave_id'],
  ['/api/surveys', 'survey_id'],
  ['/api/users', 'user_id'],
  ['/api/workspaces', 'workspace_id'],
  ['/api/dashboards', 'dashboard_id'],
];

function addressOf(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/:([A-Za-z]+)/g, (_match, param: string) => {
    const given = params[param];
    if (typeof given === 'string') return given;
    const name =
      param === 'id'
        ? FAMILIES.find(([prefix]) => path.startsWith(prefix))![1]
        : param === 'token'
          ? 'link_token'
          : param.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return String(realId(nameOf(path, name), given ?? (name === 'user_id' ? 2 : 1)));
  });
}

/** At `links.link_id` the ids of a list of objects, at `response_ids` a list of ids. */
function idsIn(data: Record<string, unknown>, place: string): (number | string)[] {
  const [list = '', name] = place.split('.');
  if (name !== undefined) return (data[list] as Record<string, number | string>[]).map((item) => item[name]!);
  return [data[list] ?? data[list.replace('dashboard_', '')]].flat() as number[];
}

function exampleOf(operationId: string, name = ''): unknown {
  return routes.find((route) => route.operationId === operationId)!.examples[name];
}

async function send({
  operationId,
  names,
  times = 1,
  makes = [],
  params = {},
  statuses,
}: Step): Promise<void> {
  const route = routes.find((each) => each.operationId === operationId)!;
  const examples = Object.entries(route.examples).filter(([name]) => names?.includes(name) ?? true);
  const bodies: unknown[] = examples.length === 0 ? [{}] : examples.map(([, example]) => example);
  for (const body of bodies.flatMap((each) => Array.from({ length: times }, () => each))) {
    const caller = route.access.credential === 'none' ? anonymous(test) : organization.admin;
    const method = route.method as 'get' | 'post' | 'put' | 'patch';
    const request: Test = caller[method](
      addressOf(route.path, params),
      withRealIds(body, route.path) as object,
    );
    const reply = await request;
    expect
      .soft(statuses ?? [route.status], `${operationId}: ${reply.status} ${reply.text}`)
      .toContain(reply.status);
    if (reply.status >= 400) continue;
    for (const place of makes) {
      const name = place.split('.').at(-1)!.replace(/_ids$/, '_id');
      const data = (reply.body as { data: Record<string, unknown> }).data;
      createdIds.set(name, [...(createdIds.get(name) ?? []), ...idsIn(data, place)]);
    }
  }
}

it('the examples of the API document work in the order of use', { timeout: 120_000 }, async () => {
  createdIds.set('user_id', [organization.admin.userId]);
  createdIds.set('workspace_id', [organization.workspaceId]);
  for (const step of STEPS) await send(step);
});

it('a respondent saves and completes a response with the examples', async () => {
  const [token] = createdIds.get('link_token')!;
  const respondent = anonymous(test);
  const path = `/api/public/s/${token}/responses`;
  const started = await respondent.post(path, { answers: {}, status: 'partial' }).expect(201);
  const own = `${path}/${(started.body as { data: { response_token: string } }).data.response_token}`;
  await respondent.patch(own, withRealIds(exampleOf('saveResponsePage'), path) as object).expect(200);
  await respondent.post(`${own}/complete`, exampleOf('completeResponse') as object).expect(200);
});

it('a user signs in, creates a key and changes the password with the examples', async () => {
  const login = await anonymous(test)
    .post('/api/auth', exampleOf('authenticate', 'login') as object)
    .expect(200);
  const { access_token: token } = (login.body as { data: { access_token: string } }).data;
  const inSession = (request: Test) => request.set('Authorization', `Bearer ${token}`);
  const user = anonymous(test);
  await inSession(user.post('/api/api-keys', exampleOf('createApiKey') as object)).expect(201);
  const password = `/api/users/${createdIds.get('user_id')![1]}/change-password`;
  await inSession(user.put(password, exampleOf('changePassword') as object)).expect(200);
});
