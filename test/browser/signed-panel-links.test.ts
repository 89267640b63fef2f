import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signPanelEntry } from '../../src/lib/panel-signature.ts';
import { type Actor, newOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  useBrowser,
} from '../support/browser.ts';
import { text } from '../support/questions.ts';
import { button, waitForHeading } from '../support/respondent-page.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../support/surveys.ts';

describe.skipIf(browserSkipReason() !== null)('a signed panel link', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let author: Actor;
  let survey: PublishedSurvey;
  let linkId: number;
  let token: string;
  beforeAll(async () => {
    author = (await newOrganization(test)).admin;
    survey = await publishedSurvey(author, {
      settings: { languages: ['de'], consent_text: 'We keep your answers for a year.' },
      pages: [[text('Q1')], [text('Q2')]],
    });
    const link = await author
      .post(`/api/surveys/${survey.surveyId}/links`, { link_type: 'panel', link_name: 'Opinion panel' })
      .expect(201);
    ({ link_id: linkId, link_token: token } = link.body.data as { link_id: number; link_token: string });
  });
  // The browser reports the refused page and the refused start as failed requests.
  const isRefusal = (problem: string) => /status of (403|410)/.test(problem);
  afterEach(() => {
    expect(browser.problems().filter((problem) => !isRefusal(problem))).toEqual([]);
  });

  it('gets its key in the studio, and is required there', async () => {
    const page = await browser.visitAs(author, `/surveys/${survey.surveyId}/collect`, DESKTOP);
    await page.getByText('Signatures Opinion panel').click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Copy the key now. It is not shown again.').waitFor();
    expect(await page.getByText(/^cvl_/).textContent()).toMatch(/^cvl_[A-Za-z0-9]{48}$/);
    await page.getByText(`'entry', '${token}', externalId`).waitFor();
    // Below the fixed header, buttons count as covered.
    await page.evaluate('scrollTo(0, 0)');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Require signatures' }).click();
    await page.getByText('Respondents without a valid signature are refused.').waitFor();
  });

  it('gets another key, or none, after a question', async () => {
    const page = await browser.visitAs(author, `/surveys/${survey.surveyId}/collect`, DESKTOP);
    const createdAt = async () => {
      const { body } = await author.get(`/api/surveys/${survey.surveyId}/links`).expect(200);
      const links = body.data as { link_id: number; signing_key_created_at: string | null }[];
      return links.find(({ link_id: id }) => id === linkId)!.signing_key_created_at;
    };
    const before = await createdAt();
    expect(before).not.toBeNull();
    await page.getByText('Signatures Opinion panel').click();
    await page.getByRole('button', { name: 'Replace key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await createdAt()).toBe(before);
    await page.getByRole('button', { name: 'Replace key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click();
    await page.getByText(/^cvl_/).waitFor();
    expect(await createdAt()).not.toBe(before);
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('button', { name: 'Create key' }).waitFor();
    expect(await createdAt()).toBeNull();
  });

  it('tells refused visitors what to do, and lets respondents continue', async () => {
    const created = await author
      .post(`/api/surveys/${survey.surveyId}/links/${linkId}/signing-key`)
      .expect(201);
    await author
      .put(`/api/surveys/${survey.surveyId}/links/${linkId}`, { requires_signature: true })
      .expect(200);
    const address = (externalId: string, signedAt = Math.floor(Date.now() / 1000)) => {
      const signature = signPanelEntry(created.body.data.signing_key as string, {
        linkToken: token,
        externalId,
        signedAt,
      });
      return `/s/${token}?external_id=${externalId}&signed_at=${signedAt}&signature=${signature}`;
    };
    const unsigned = await browser.visit(`/s/${token}?external_id=m1`);
    await waitForHeading(unsigned, 'Open this survey from your panel');
    await expectAccessible(unsigned);
    await waitForHeading(
      await browser.visit(`/s/${token}?external_id=m1&lang=de`),
      'Öffnen Sie diese Umfrage über Ihr Panel',
    );
    await waitForHeading(await browser.visit(address('m1', 1_700_000_000)), 'This address is too old');

    const signed = address('m1');
    const page = await browser.visit(signed);
    await page.getByLabel(/I have read this/).check();
    await button(page, 'Start').click();
    await page.getByLabel('Why Q1?').fill('first');
    await button(page, 'Next').click();
    await page.getByLabel('Why Q2?').waitFor();
    // Reloads with the signature that is used now.
    await page.reload();
    await page.getByLabel('Why Q2?').fill('second');
    const replay = await browser.visit(signed);
    await waitForHeading(replay, 'This address was already used');
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
    await page.reload();
    await waitForHeading(page, 'Already submitted');
    const stored = await readStoredResponses(test, survey.surveyId);
    expect(stored.map((row) => row.answers)).toEqual([{ Q1: 'first', Q2: 'second' }]);
    const { body } = await author
      .get(`/api/surveys/${survey.surveyId}/links/${linkId}/mismatches`)
      .expect(200);
    expect(body.data.counts).toEqual([
      { direction: 'entry', reason: 'expired', count: 1 },
      { direction: 'entry', reason: 'missing', count: 2 },
      { direction: 'entry', reason: 'used', count: 1 },
    ]);
  });
});
