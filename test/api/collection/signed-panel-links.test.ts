import { beforeAll, describe, expect, test } from 'vitest';
import { signPanelEntry, signPanelExit } from '../../../src/lib/panel-signature.ts';
import { type Actor, anonymous, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { readStoredResponses } from '../../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

/** How far the clock of the respondents' server is from the real one. */
let stepMs = 0;
const app = useApp();
const author = useOrganization(app).admin;
let respondent: Actor;
let survey: PublishedSurvey;

beforeAll(async () => {
  respondent = anonymous(appOn(app.database, {}, { clock: { now: () => new Date(Date.now() + stepMs) } }));
  survey = await publishedSurvey(author, [[choice('Q1')]]);
});

interface PanelLink {
  id: number;
  token: string;
  key: string;
}

async function panelLink(body: object = {}): Promise<PanelLink> {
  const link = await author
    .post(`/api/surveys/${survey.surveyId}/links`, { link_type: 'panel', requires_signature: true, ...body })
    .expect(201);
  const { link_id: id, link_token: token } = link.body.data as { link_id: number; link_token: string };
  const created = await author.post(`${linkPath(id)}/signing-key`).expect(201);
  return { id, token, key: created.body.data.signing_key as string };
}
const linkPath = (id: number) => `/api/surveys/${survey.surveyId}/links/${id}`;
const seconds = () => Math.floor((Date.now() + stepMs) / 1000);
const entryOf = (link: PanelLink, externalId: string, signedAt = seconds()) => ({
  external_id: externalId,
  signed_at: signedAt,
  signature: signPanelEntry(link.key, { linkToken: link.token, externalId, signedAt }),
});
const submit = (link: PanelLink, body: object) =>
  respondent.post(`/api/public/s/${link.token}/responses`, { answers: { Q1: '1' }, ...body });
const mismatches = async (link: PanelLink) => {
  const { counts, latest } = (await author.get(`${linkPath(link.id)}/mismatches`).expect(200)).body.data as {
    counts: { direction: string; reason: string; count: number }[];
    latest: { reason: string; external_id: string | null; response_id: number | null }[];
  };
  return {
    counts: Object.fromEntries(counts.map((row) => [`${row.direction} ${row.reason}`, row.count])),
    latest,
  };
};
const storedIds = async () =>
  (await readStoredResponses(app, survey.surveyId)).map((row) => row.external_id as string | null);

describe('a link that requires signatures', () => {
  test('accepts a signed entry once, and lets its respondent continue', async () => {
    const link = await panelLink();
    const entry = entryOf(link, 'once é/1');
    const started = await submit(link, { ...entry, status: 'partial', answers: {} }).expect(201);
    const replay = await submit(link, entry).expect(410);
    expect(replay.body.code).toBe('signature_used');
    const address = `/api/public/s/${link.token}/responses/${started.body.data.response_token}`;
    await respondent.get(address).expect(200);
    const done = await respondent.post(`${address}/complete`, { answers: { Q1: '1' } }).expect(200);
    expect(done.body.data.response_status).toBe('complete');
    expect((await storedIds()).filter((id) => id === 'once é/1')).toHaveLength(1);
    expect((await mismatches(link)).counts).toEqual({ 'entry used': 1 });
  });

  test('accepts one of many parallel entries with the same signature', async () => {
    const link = await panelLink();
    const entry = { ...entryOf(link, 'parallel'), status: 'partial', answers: {} };
    const replies = await Promise.all(Array.from({ length: 8 }, () => submit(link, entry)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(410)]);
    expect((await mismatches(link)).counts).toEqual({ 'entry used': 7 });
  });

  test('returns the first result to a repeated submission', async () => {
    const link = await panelLink();
    const body = {
      ...entryOf(link, 'retry'),
      submission_id: 'retry-1',
      client_secret: 'a-secret-of-the-client-1',
    };
    const first = await submit(link, body).expect(201);
    expect((await submit(link, body).expect(200)).body.data).toEqual(first.body.data);
    expect((await mismatches(link)).counts).toEqual({});
  });

  test('refuses and records missing, wrong, old and future signatures, and stores no response', async () => {
    const link = await panelLink();
    const other = await panelLink();
    const before = (await storedIds()).length;
    const good = entryOf(link, 'm1');
    const refused: [object, number, string][] = [
      [{ external_id: 'm1' }, 403, 'signature_missing'],
      [{}, 403, 'signature_missing'],
      [{ ...good, signature: undefined }, 403, 'signature_missing'],
      [{ ...good, external_id: 'm2' }, 403, 'signature_invalid'],
      [{ ...good, signed_at: good.signed_at + 1 }, 403, 'signature_invalid'],
      [{ ...good, signature: good.signature.slice(1) }, 403, 'signature_invalid'],
      [{ ...good, signed_at: 'x' }, 403, 'signature_invalid'],
      [entryOf(other, 'm1'), 403, 'signature_invalid'],
      [
        {
          ...good,
          signature: signPanelExit(link.key, {
            linkToken: link.token,
            externalId: 'm1',
            status: 'complete',
            signedAt: good.signed_at,
          }),
        },
        403,
        'signature_invalid',
      ],
      [entryOf(link, 'm1', seconds() - 901), 410, 'signature_expired'],
      [entryOf(link, 'm1', seconds() + 120), 410, 'signature_expired'],
    ];
    for (const [body, status, code] of refused)
      expect((await submit(link, body).expect(status)).body.code).toBe(code);
    expect(await storedIds()).toHaveLength(before);
    const { counts, latest } = await mismatches(link);
    expect(counts).toEqual({ 'entry missing': 3, 'entry invalid': 6, 'entry expired': 2 });
    expect(latest[0]).toMatchObject({
      direction: 'entry',
      reason: 'expired',
      external_id: 'm1',
      response_id: null,
    });
    const shown = await author.get(linkPath(link.id).replace(/\/\d+$/, '')).expect(200);
    expect(
      (shown.body.data as { link_id: number }[]).find(({ link_id: id }) => id === link.id),
    ).toMatchObject({ entry_mismatch_count: 11, exit_mismatch_count: 0, requires_signature: true });
    await submit(link, entryOf(link, 'm1', seconds() - 899)).expect(201);
    await submit(link, entryOf(link, 'm1b', seconds() + 59)).expect(201);
  });

  test('counts the age until the survey was opened with the signature', async () => {
    const link = await panelLink();
    const entry = entryOf(link, 'slow');
    const query = new URLSearchParams({ ...entry, signed_at: String(entry.signed_at) });
    await respondent.get(`/api/public/s/${link.token}`).expect(403);
    const survey = await respondent.get(`/api/public/s/${link.token}?${query}`).expect(200);
    const { opened } = survey.body.data as { opened: string };
    const early = entryOf(link, 'other');
    stepMs = 20 * 60_000;
    expect((await submit(link, entry).expect(410)).body.code).toBe('signature_expired');
    // Not the time at which another signature was opened.
    await submit(link, { ...early, opened }).expect(410);
    await submit(link, { ...entry, opened }).expect(201);
    stepMs = 0;
  });

  test('sends refused visitors no questions', async () => {
    const link = await panelLink();
    const entry = entryOf(link, 'page');
    const query = new URLSearchParams({ ...entry, signed_at: String(entry.signed_at) });
    const page = (search: string) => respondent.get(`/s/${link.token}${search}`);
    expect((await page(`?${query}`).expect(200)).text).toContain('"code":"Q1"');
    const refused = await page('?external_id=page').expect(403);
    expect(refused.text).not.toContain('"code":"Q1"');
    expect(refused.text).toContain('"newResponsesBlockedBy":"signature_missing"');
    await page('?external_id=a%00&signed_at=1&signature=%00%ED%A0%80').expect(403);
    await submit(link, entry).expect(201);
    expect((await page(`?${query}`).expect(410)).text).not.toContain('"code":"Q1"');
    expect((await mismatches(link)).counts).toEqual({ 'entry missing': 1, 'entry invalid': 1 });
  });
});

describe('the key of a link', () => {
  test('is shown once, stored encrypted, and audited', async () => {
    const link = await panelLink();
    expect(link.key).toMatch(/^cvl_[A-Za-z0-9]{48}$/);
    const rows = await app.database.db('links').select('signing_key').where({ link_id: link.id });
    expect(rows[0]!.signing_key).not.toContain(link.key.slice(4));
    const entry = entryOf(link, 'before');
    const rotated = await author.post(`${linkPath(link.id)}/signing-key`).expect(201);
    await submit(link, entry).expect(403);
    await submit(link, entryOf({ ...link, key: rotated.body.data.signing_key as string }, 'new')).expect(201);
    await author.delete(`${linkPath(link.id)}/signing-key`).expect(204);
    await author.delete(`${linkPath(link.id)}/signing-key`).expect(404);
    expect((await submit(link, entryOf(link, 'revoked')).expect(403)).body.code).toBe('signature_invalid');
    expect((await mismatches(link)).counts).toMatchObject({ 'entry no_key': 1 });
    const actions = await app.database
      .db('audit_log')
      .where({ object_type: 'link', object_id: String(link.id) })
      .orderBy('audit_id')
      .pluck('action');
    expect(actions).toEqual([
      'link.created',
      'link.signing_key_created',
      'link.signing_key_rotated',
      'link.signing_key_revoked',
    ]);
    const listed = await author.get(linkPath(link.id).replace(/\/\d+$/, '')).expect(200);
    expect(JSON.stringify(listed.body)).not.toContain(link.key);
  });

  test('and the setting are only for links of panels', async () => {
    const { linkId } = await openLink();
    const reply = await author.post(`${linkPath(linkId)}/signing-key`).expect(409);
    expect(reply.body.code).toBe('not_a_panel_link');
    const changed = await author.put(linkPath(linkId), { requires_signature: true }).expect(400);
    expect(changed.body.details[0].field).toBe('requires_signature');
    await author
      .post('/api/surveys/links/batch', {
        action: 'create',
        survey_id: survey.surveyId,
        links: [{ link_type: 'panel', requires_signature: true }, { requires_signature: true }],
      })
      .expect(400)
      .expect((batch) => expect(batch.body.details[0].field).toBe('links[1].requires_signature'));
  });

  async function openLink() {
    const link = await author.post(`/api/surveys/${survey.surveyId}/links`, {}).expect(201);
    return { linkId: link.body.data.link_id as number };
  }
});

describe('exits', () => {
  const REDIRECTS = {
    default:
      'https://panel.example/end?id={{external_id}}&status={{status}}&at={{signed_at}}&sig={{signature}}',
  };

  test('are signed for the panel', async () => {
    const link = await panelLink({ redirects: REDIRECTS });
    const reply = await submit(link, entryOf(link, 'é & 1')).expect(201);
    const exit = new URL(reply.body.data.redirect_url as string).searchParams;
    expect([exit.get('id'), exit.get('status')]).toEqual(['é & 1', 'complete']);
    expect(exit.get('sig')).toBe(
      signPanelExit(link.key, {
        linkToken: link.token,
        externalId: 'é & 1',
        status: 'complete',
        signedAt: Number(exit.get('at')),
      }),
    );
    await author.delete(`${linkPath(link.id)}/signing-key`).expect(204);
    await author.put(linkPath(link.id), { requires_signature: false }).expect(200);
    const unsigned = await submit(link, { external_id: 'later' }).expect(201);
    expect(new URL(unsigned.body.data.redirect_url as string).searchParams.get('sig')).toBe('');
  });

  test('have the time of the injected clock', async () => {
    const link = await panelLink({ redirects: REDIRECTS });
    stepMs = 7 * 24 * 60 * 60 * 1000;
    try {
      const before = seconds();
      const done = await submit(link, entryOf(link, 'next week')).expect(201);
      const signedAt = Number(new URL(done.body.data.redirect_url as string).searchParams.get('at'));
      expect(signedAt).toBeGreaterThanOrEqual(before);
      expect(signedAt).toBeLessThanOrEqual(seconds());
    } finally {
      stepMs = 0;
    }
  });

  test('without a valid entry and of a member who has left before are recorded', async () => {
    const link = await panelLink({ requires_signature: false });
    const direct = await submit(link, { external_id: 'x1' }).expect(201);
    const started = await submit(link, { external_id: 'x2', status: 'partial', answers: {} }).expect(201);
    await respondent
      .post(`/api/public/s/${link.token}/responses/${started.body.data.response_token}/complete`, {
        answers: { Q1: '1' },
      })
      .expect(200);
    await author
      .put(`/api/surveys/${survey.surveyId}`, { quality_settings: { duplicate: { external_id: false } } })
      .expect(200);
    await submit(link, entryOf(link, 'x3')).expect(201);
    await submit(link, entryOf(link, 'x3', seconds() - 1)).expect(201);
    const { counts, latest } = await mismatches(link);
    expect(counts).toEqual({ 'entry missing': 2, 'exit without_entry': 2, 'exit repeated': 1 });
    expect(latest.at(-1)!.reason).toBe('missing');
    expect(latest.map((row) => row.response_id)).toContain(direct.body.data.response_id);
  });
});
