import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, newOrganization, type Actor } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectInvalidField, expectRefused } from '../../support/refusals.ts';
import { publishedSurvey, type PublishedSurvey } from '../../support/surveys.ts';

const test = useApp();
let admin: Actor;
let survey: PublishedSurvey;
let path: string;
beforeAll(async () => {
  ({ admin } = await newOrganization(test));
  survey = await publishedSurvey(admin, [
    [{ question_type: 'text', question_code: 'Q1', question_text: 'Which tracker?' }],
  ]);
  path = `/api/surveys/${survey.surveyId}/links`;
});

/** The token with which the page at this address answers the survey. */
async function tokenAt(address: string): Promise<string | null> {
  const { text } = await anonymous(test).get(`/s/${address}`);
  return /"linkToken":"(\w+)"/.exec(text)?.[1] ?? null;
}
const newLink = async (fields: object): Promise<{ link_id: number; link_token: string; link_url: string }> =>
  (await admin.post(path, fields).expect(201)).body.data;

describe('the slug of a link', () => {
  it('is a second address of the same link, in any case', async () => {
    const link = await newLink({ link_slug: 'brand-tracker' });
    expect(link).toMatchObject({ link_slug: 'brand-tracker' });
    expect(link.link_url).toMatch(/\/s\/brand-tracker$/);
    for (const address of ['brand-tracker', 'Brand-Tracker', link.link_token])
      expect(await tokenAt(address)).toBe(link.link_token);
    expect(await tokenAt('brand-trackers')).toBeNull();
    await anonymous(test).get('/s/brand-trackers').expect(404);
  });

  it('changes and goes, while the codes to print and to embed keep the token', async () => {
    const link = await newLink({ link_slug: 'first-name' });
    await admin.put(`${path}/${link.link_id}`, { link_slug: 'second-name' }).expect(200);
    expect(await tokenAt('first-name')).toBeNull();
    expect(await tokenAt('second-name')).toBe(link.link_token);
    await admin.put(`${path}/${link.link_id}`, { link_name: 'Renamed' }).expect(200);
    expect(await tokenAt('second-name')).toBe(link.link_token);
    const embed = await admin.get(`${path}/${link.link_id}/embed`).expect(200);
    expect(embed.body.data.url).toContain(`/s/${link.link_token}`);
    const removed = await admin.put(`${path}/${link.link_id}`, { link_slug: null }).expect(200);
    expect(removed.body.data).toMatchObject({ link_slug: null });
    expect(removed.body.data.link_url).toContain(link.link_token);
    expect(await tokenAt('second-name')).toBeNull();
  });

  it('is unique in the installation, and a free one is suggested', async () => {
    await newLink({ link_slug: 'taken' });
    await newLink({ link_slug: 'taken-2' });
    const { admin: stranger } = await newOrganization(test);
    const own = await publishedSurvey(stranger);
    const address = `/api/surveys/${own.surveyId}/links`;
    const refused = await expectRefused(stranger.post(address, { link_slug: 'taken' }), 409, 'slug_taken');
    expect(refused.details).toEqual([
      { field: 'link_slug', message: expect.stringContaining('"taken-3" is free') },
    ]);
    const racing = await Promise.all([
      stranger.post(address, { link_slug: 'raced' }),
      admin.post(path, { link_slug: 'raced' }),
    ]);
    expect(racing.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it('stays with a deleted link, except within its organization', async () => {
    const link = await newLink({ link_slug: 'printed' });
    await admin.delete(`${path}/${link.link_id}`).expect(204);
    const { admin: stranger } = await newOrganization(test);
    const own = await publishedSurvey(stranger);
    await stranger.post(`/api/surveys/${own.surveyId}/links`, { link_slug: 'printed' }).expect(409);
    const page = await anonymous(test).get('/s/printed').expect(200);
    expect(page.text).toContain('"newResponsesBlockedBy":"expired"');
    const next = await newLink({ link_slug: 'printed' });
    expect(await tokenAt('printed')).toBe(next.link_token);
  });

  it('never leads from the token of another link elsewhere', async () => {
    const { link_token: token } = await newLink({});
    const lowerCase = token.toLowerCase();
    await test.database.db('links').where({ link_token: token }).update({ link_token: lowerCase });
    const { admin: stranger } = await newOrganization(test);
    const own = await publishedSurvey(stranger);
    await stranger.post(`/api/surveys/${own.surveyId}/links`, { link_slug: lowerCase }).expect(201);
    expect(await tokenAt(lowerCase)).toBe(lowerCase);
  });

  it('is refused where it is malformed, or the link is for one person', async () => {
    for (const slug of ['ab', 'Brand', 'a--b', '-a-b', 'a b c', 'ä-b', 'x'.repeat(300)])
      await expectInvalidField(admin.post(path, { link_slug: slug }), 'link_slug');
    await expectInvalidField(admin.post(path, { link_type: 'unique', link_slug: 'mine' }), 'link_slug');
    const batch = { action: 'create', survey_id: survey.surveyId };
    await expectInvalidField(
      admin.post('/api/surveys/links/batch', { ...batch, count: 2, link_type: 'open', link_slug: 'two' }),
      'link_slug',
    );
    const twice = [{ link_slug: 'same' }, { link_slug: 'same' }];
    await admin.post('/api/surveys/links/batch', { ...batch, links: twice }).expect(409);
    expect(await tokenAt('same')).toBeNull();
  });
});
