import { createHash } from 'node:crypto';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { appOn, useApp } from '../../support/app.ts';

const test = useApp();
/** As Chromium sends it for a page. */
const BROWSER_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const visit = (path: string) => supertest(test.app).get(path).set('Accept', BROWSER_ACCEPT);
const headingOf = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)?.[1];

describe('an unknown address in a browser', () => {
  it.each([
    ['/nope', 'Page not found'],
    ['/nope/of/many/parts', 'Page not found'],
    ['/API/surveys', 'Page not found'],
    ['/apiary', 'Page not found'],
    ['/join', 'This link is incomplete'],
    ['/join/', 'This link is incomplete'],
    ['/reset/abc', 'This link is incomplete'],
    ['/s', 'This link is incomplete'],
    ['/u', 'This link is incomplete'],
    ['/d/only-the-organization', 'This link is incomplete'],
  ])('%s shows a page', async (path, heading) => {
    const reply = await visit(path).expect(404).expect('Content-Type', 'text/html; charset=utf-8');
    expect(headingOf(reply.text)).toBe(heading);
    expect(reply.text).toContain(`<title>${heading}</title>`);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.headers['vary']).toContain('Accept');
  });

  it('shows a page without scripts, with a policy that allows only its own style', async () => {
    const { text, headers } = await visit('/nope?q=<script>alert(1)</script>').expect(404);
    expect(text).not.toContain('<script');
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)![1]!;
    const digest = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; img-src data:; report-uri /policy-reports; style-src 'sha256-${digest}'`,
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-request-id']).toEqual(expect.any(String));
    expect(headers).toHaveProperty('ratelimit-limit');
  });

  it('with a malformed path shows a page with status 400', async () => {
    const reply = await visit('/s/%ff')
      .expect(400)
      .expect('Content-Type', /^text\/html/);
    expect(headingOf(reply.text)).toBe('This page cannot be shown');
  });

  it('beyond the rate limit shows a page with the time to retry', async () => {
    const strict = appOn(test.database, { RATE_LIMIT_GENERAL: '1' });
    const limited = () => supertest(strict.app).get('/nope').set('Accept', BROWSER_ACCEPT);
    await limited().expect(404);
    const reply = await limited()
      .expect(429)
      .expect('Content-Type', /^text\/html/);
    expect(headingOf(reply.text)).toBe('Too many requests');
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('an unknown address returns the error envelope', () => {
  const isEnvelope = async (request: supertest.Test) => {
    const { body } = await request.expect(404).expect('Content-Type', /^application\/json/);
    expect(body).toMatchObject({ error: 1, code: 'not_found', message: 'No such address' });
  };

  it.each([undefined, '*/*', 'application/json', 'application/json, text/plain, */*'])(
    'for a client that accepts %s',
    async (accept) => {
      const request = supertest(test.app).get('/nope');
      await isEnvelope(accept === undefined ? request : request.set('Accept', accept));
    },
  );

  it.each(['/api', '/api/', '/api/nope', '/api/surveys/1/nope/nope'])(
    'below /api, also for a browser: %s',
    (path) => isEnvelope(visit(path)),
  );
});
