import { beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { INVALID_IDS, MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { choice } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const test = useApp({ PUBLIC_URL: 'https://survey.example.org' });
const NAME = 'Tea & "coffee" <b>\'s';
const admin = useOrganization(test).admin;
let link: { link_id: number; link_url: string };
let path: string;

beforeAll(async () => {
  const { surveyId } = await publishedSurvey(admin, { survey_name: NAME, pages: [[choice('Q1')]] });
  const links = await admin.get(`/api/surveys/${surveyId}/links`).expect(200);
  [link] = links.body.data;
  path = `/api/surveys/${surveyId}/links/${link.link_id}`;
});

/** The sides that a PNG says it has (its header, ISO/IEC 15948 11.2.2). */
const sides = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

describe('the QR code of a link', () => {
  it('is an SVG by default, or a PNG on request', async () => {
    const reply = await admin.get(`${path}/qr`).expect(200);
    expect(reply.headers['content-type']).toBe('image/svg+xml');
    expect(reply.headers['content-disposition']).toContain(`link-${link.link_id}.svg`);
    expect(String(reply.body)).toMatch(/^<svg [^>]*width="512" height="512"/);
    expect(String(reply.body)).not.toMatch(/script|href/);
  });

  it.each([64, 512, 2_048])('is a PNG of %i pixels', async (size) => {
    const reply = await admin.get(`${path}/qr?format=png&size=${size}`).expect(200);
    expect(reply.headers['content-type']).toBe('image/png');
    expect(sides(reply.body as Buffer)).toEqual([size, size]);
  });

  it('encodes only the URL of the link', async () => {
    const other = await admin.post(path.replace(/\/\d+$/, ''), {}).expect(201);
    const codes = await Promise.all(
      [path, path, path.replace(/\d+$/, String(other.body.data.link_id))].map((item) =>
        admin.get(`${item}/qr`),
      ),
    );
    const [first, again, different] = codes.map((reply) => String(reply.body));
    expect(again).toBe(first);
    expect(different).not.toBe(first);
  });

  it.each(['size=63', 'size=2049', 'size=1e3', 'size=', 'size=-1', 'size=99999999999'])(
    'rejects %s',
    async (query) => {
      await expectInvalidField(admin.get(`${path}/qr?${query}`), 'size');
    },
  );

  it('rejects other formats', async () => {
    await expectInvalidField(admin.get(`${path}/qr?format=gif`), 'format');
  });
});

describe('the snippet of a link', () => {
  it('is an iframe of the link, with the survey name escaped', async () => {
    const reply = await admin.get(`${path}/embed?height=900`).expect(200);
    const { url, html } = reply.body.data;
    expect(url).toBe(link.link_url);
    const frame =
      `<iframe src="${link.link_url}" title="Tea &amp; &quot;coffee&quot; &lt;b&gt;&#39;s" loading="lazy" ` +
      'style="width:100%;height:900px;border:0"></iframe>';
    expect(html.startsWith(`${frame}\n<script>`)).toBe(true);
    expect(link.link_url).toMatch(/^https:\/\/survey\.example\.org\/s\//);
  });

  it('limits the height', async () => {
    await expectInvalidField(admin.get(`${path}/embed?height=199`), 'height');
  });
});

describe.each(['qr', 'embed'])('GET %s', (what) => {
  it('returns 404 for links of other surveys, missing and malformed ids', async () => {
    const { surveyId } = await publishedSurvey(admin);
    await expectRefused(admin.get(`/api/surveys/${surveyId}/links/${link.link_id}/${what}`), 404);
    await expectRefused(admin.get(path.replace(/\d+$/, String(MISSING_ID)) + `/${what}`), 404);
    for (const id of INVALID_IDS) await expectRefused(admin.get(path.replace(/\d+$/, id) + `/${what}`), 400);
  });

  it('returns 404 for another organization', async () => {
    const otherAdmin = (await newOrganization(test)).admin;
    await expectRefused(otherAdmin.get(`${path}/${what}`), 404);
  });
});
