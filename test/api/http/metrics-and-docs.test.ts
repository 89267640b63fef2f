import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { newOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const request = () => supertest(test.app);

describe('metrics', () => {
  const token = 'a-token-for-the-figures';

  it('are missing unless configured', async () => {
    await expectRefused(request().get('/metrics').set('Authorization', `Bearer ${token}`), 404, 'not_found');
  });

  it('require the token, and are grouped by declared path', async () => {
    const { app } = appOn(test.database, { METRICS_TOKEN: token });
    await supertest(app).get('/api/workspaces/123').expect(401);
    for (const authorization of ['', 'Bearer ', 'Bearer wrong', token, `Basic ${token}`])
      await expectRefused(
        supertest(app).get('/metrics').set('Authorization', authorization),
        401,
        'unauthenticated',
      );
    await expectRefused(supertest(app).get('/metrics'), 401, 'unauthenticated');
    const reply = await supertest(app).get('/metrics').set('Authorization', `Bearer ${token}`).expect(200);
    expect(reply.headers['content-type']).toMatch(/^text\/plain/);
    expect(reply.text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/workspaces/:id",status="401"} 1',
    );
    expect(reply.text).not.toContain('/123');
  });

  it('include the memory used by datasets', async () => {
    const { app, container } = appOn(test.database, { METRICS_TOKEN: token, DATASET_CACHE_MB: '16' });
    const figures = async () =>
      (await supertest(app).get('/metrics').set('Authorization', `Bearer ${token}`).expect(200)).text;
    expect(await figures()).toContain('datasets_in_memory 0');
    const { admin } = await newOrganization(test);
    const { surveyId } = await publishedSurvey(admin, [[choice('Q1')]]);
    await container.services.datasets.open(surveyId, () => ['Q1']);
    const text = await figures();
    expect(text).toContain('datasets_in_memory 1');
    expect(text).toContain('dataset_columns_in_memory 1');
    expect(text).toMatch(/dataset_memory_bytes\{of="columns"\} [1-9]/);
    expect(text).toContain('dataset_memory_bytes{of="texts"} 0');
    expect(text).toContain(`dataset_memory_limit_bytes ${16 * 1024 * 1024}`);
    expect(text).toContain('dataset_drops_total{what="column"} 0');
  });
});

describe('the documentation', () => {
  it('is served locally, without addresses of other hosts', async () => {
    const page = await request().get('/api/docs/').expect(200).expect('Content-Type', /html/);
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      expect(file).not.toMatch(/^(https?:)?\/\//);
      await request().get(new URL(file, 'http://here/api/docs/').pathname).expect(200);
    }
    expect(page.text).not.toMatch(/https?:\/\//);
    const start = await request()
      .get('/api/docs/docs.js')
      .expect(200)
      .expect('Content-Type', /javascript/);
    expect(start.text).toContain('/api/openapi.json');
    expect(start.text).not.toMatch(/https?:\/\//);
  });

  it.each(['swagger-ui-bundle.js', 'swagger-ui.css'])(
    'sends %s compressed to clients that accept it',
    async (file) => {
      const path = `/api/docs/${file}`;
      const zipped = await request().get(path).set('Accept-Encoding', 'gzip').expect(200);
      expect(zipped.headers).toMatchObject({
        'content-encoding': 'gzip',
        'cache-control': 'public, max-age=3600',
      });
      const plain = await request().get(path).set('Accept-Encoding', 'identity').expect(200);
      expect(plain.headers).not.toHaveProperty('content-encoding');
      expect(plain.headers['content-type']).toBe(zipped.headers['content-type']);
      expect(zipped.text).toBe(plain.text);
      expect(plain.text.length).toBeGreaterThan(100_000);
    },
  );

  it('is also served without its last slash', async () => {
    await request().get('/api/docs').expect(301).expect('Location', '/api/docs/');
  });

  it('returns 400 for impossible conditions, and serves only its own files', async () => {
    await expectRefused(request().get('/api/docs/index.html').set('Range', 'bytes=99999999-'), 400);
    await expectRefused(request().get('/api/docs/index.html').set('If-Match', '"other"'), 400);
    for (const path of ['..%2f..%2fpackage.json', '%2e%2e/%2e%2e/package.json', 'nothing.js'])
      await expectRefused(request().get(`/api/docs/${path}`), 404);
    await expectRefused(request().get('/api/docs/%00'), 404);
  });
});

it('lets scripts of other sites read replies only from an allowed origin', async () => {
  const allowed = 'https://research.example';
  const { app } = appOn(test.database, { ALLOWED_ORIGINS: allowed });
  const preflight = (origin: string) =>
    supertest(app)
      .options('/api/workspaces')
      .set('Origin', origin)
      .set('Access-Control-Request-Method', 'POST');
  const reply = await preflight(allowed);
  expect(reply.headers).toMatchObject({
    'access-control-allow-origin': allowed,
    'access-control-allow-credentials': 'true',
  });
  expect((await preflight('https://evil.example')).headers).not.toHaveProperty('access-control-allow-origin');
  const plain = await request().get('/api/health').set('Origin', allowed);
  expect(plain.headers).not.toHaveProperty('access-control-allow-origin');
});
