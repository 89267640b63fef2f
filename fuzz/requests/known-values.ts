import fc from 'fast-check';
import type { Ids } from '../../test/support/permission-matrix/fixtures.ts';
import type { KnownValues } from './arbitrary-of.ts';

/** Which of the ids of the world a member of this name means; on dashboards, pages are theirs. */
const ID_OF: ReadonlyMap<string, keyof Ids> = new Map([
  ['workspace_id', 'workspaceId'],
  ['organization_id', 'organizationId'],
  ['survey_id', 'surveyId'],
  ['page_id', 'pageId'],
  ['page_ids', 'pageId'],
  ['question_id', 'questionId'],
  ['question_ids', 'questionId'],
  ['link_id', 'linkId'],
  ['link_ids', 'linkId'],
  ['wave_id', 'waveId'],
  ['respondent_id', 'respondentId'],
  ['respondent_ids', 'respondentId'],
  ['response_id', 'responseId'],
  ['response_ids', 'responseId'],
  ['user_id', 'userId'],
  ['user_ids', 'userId'],
  ['group_id', 'groupId'],
  ['dashboard_id', 'dashboardId'],
  ['dashboard_ids', 'dashboardId'],
  ['chart_id', 'chartId'],
  ['chart_ids', 'chartId'],
  ['slide_id', 'slideId'],
  ['slide_ids', 'slideId'],
  ['image_id', 'imageId'],
  ['change_id', 'changeId'],
  ['comment_id', 'commentId'],
  ['invite_token', 'inviteToken'],
]);

export const idNamed = (name: string, isOfDashboard: boolean): keyof Ids | null => {
  const id = ID_OF.get(name) ?? null;
  return id === 'pageId' && isOfDashboard ? 'dashboardPageId' : id;
};

/** Of every survey, then of those with questions of every type. */
const columns = fc.constantFrom(
  'Q1',
  'Q2',
  'Q3',
  'Q1',
  'Q2',
  'Q3',
  'Q4',
  'Q2_z',
  'WEIGHT',
  'status',
  'created_at',
  'language',
  ...Array.from({ length: 12 }, (_, index) => `Q${index + 5}`),
);
const filters = fc.constantFrom(
  'Q2 > 0',
  'Q1 = "1"',
  'contains(Q3, "a")',
  'Q1 = 1 and Q2 < 5',
  'is_missing(Q3)',
);
const expressions = fc.constantFrom(
  'Q2 + 1',
  'if(Q2 > 1, 1, 0)',
  'round(Q2 / 3, 2)',
  'upper(Q3)',
  'coalesce(Q2, 0)',
);

let unique = 0;

/** Names with the same meaning everywhere. */
const BY_NAME: ReadonlyMap<string, fc.Arbitrary<unknown>> = new Map<string, fc.Arbitrary<unknown>>([
  ['column_code', columns],
  ['column_codes', columns],
  ['columns', columns],
  ['rows', columns],
  ['dimension', columns],
  ['weight', columns],
  ['weight_column', fc.constantFrom('WEIGHT')],
  ['target_column_code', fc.nat(1e6).map((number) => `f${number}`)],
  ['filter', filters],
  ['where', filters],
  ['expression', expressions],
  ['email', fc.nat(1e6).map((number) => `fuzz-${number}@people.example`)],
  ['user_email', fc.nat(1e6).map((number) => `fuzz-${number}-${(unique += 1)}@people.example`)],
  ['user_password', fc.constant('planted-password-of-a-new-user')],
  ['new_password', fc.constant('planted-password-of-a-new-user')],
  ['language', fc.constantFrom('en', 'de', 'pt-BR')],
  ['target_language', fc.constantFrom('en', 'de', 'pt-BR')],
  ['slug', fc.nat(1e6).map((number) => `slug-${number}`)],
  ['find', fc.constantFrom('said', 'a', '.*', '$&', '\\1')],
  ['url', fc.constantFrom('https://example.org/', 'https://example.org/x?y=1')],
  ['option_image', fc.constant('https://example.org/a.png')],
]);

/** `ids` is called for every value, so that the result works with any fixtures. */
export function knownValues(ids: () => Ids, isOfDashboard: boolean): KnownValues {
  return (name) => {
    const id = idNamed(name, isOfDashboard);
    if (id !== null) return fc.constant(null).map(() => ids()[id]);
    return BY_NAME.get(name) ?? null;
  };
}
