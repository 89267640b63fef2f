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
  const read = async (path: string) =>
    (await request().get(path).expect(200).expect('Content-Type', /html/)).text;
  const document = async () =>
    (await request().get('/api/openapi.json').expect(200)).body as {
      tags: { name: string }[];
      paths: Record<string, Record<string, { operationId: string }>>;
    };

  it('has every operation, and no broken link', async () => {
    const { tags, paths } = await document();
    const pages = new Map<string, string>();
    const queue = ['/api/docs/'];
    for (const path of queue) {
      if (pages.has(path)) continue;
      const text = await read(path);
      pages.set(path, text);
      for (const [, href] of text.matchAll(/ href="(\/api\/docs\/[^"#]*)/g)) queue.push(href!);
    }
    for (const { name } of tags) expect([...pages.keys()]).toContain(`/api/docs/${name}`);
    const ids = [...pages.values()].flatMap((text) =>
      [...text.matchAll(/<h2 id="(\w+)"/g)].map(([, id]) => id),
    );
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(ids.sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  });

  it('is served locally, without scripts and without addresses of other hosts', async () => {
    const { headers, text } = await request().get('/api/docs/').expect(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toMatch(/script-src/);
    expect(text).not.toContain('<script');
    expect(text).not.toMatch(/ (?:src|href)="(?:https?:)?\/\//);
  });

  it('shows parameters, fields, replies and examples of an operation', async () => {
    const text = await read('/api/docs/surveys');
    expect(text).toContain('<h2 id="updateSurvey">Update a survey</h2>');
    expect(text).toContain('<strong>PUT</strong> <code>/api/surveys/{id}</code>');
    expect(text).toContain('<code>If-Match</code>');
    expect(text).toContain('<code>survey_settings</code>');
    expect(text).toContain('curl -X PUT -H &quot;X-API-Key: $KEY&quot; &quot;$SERVER/api/surveys/{id}&quot;');
  });

  it('finds operations by words, paths and parameters', async () => {
    const find = (query: string) => read(`/api/docs/search?q=${encodeURIComponent(query)}`);
    expect(await find('publish survey')).toContain('href="/api/docs/surveys#publishSurvey">Publish a survey');
    expect(await find('/weighting/create')).toContain('#createWeighting');
    expect(await find('zeppelin')).toContain('No operations match “zeppelin”');
  });

  it('is also served without its last slash', async () => {
    await request().get('/api/docs').expect(301).expect('Location', '/api/docs/');
  });

  it('returns 404 for other paths', async () => {
    for (const path of [
      'nothing',
      'schemas/Nothing',
      'schemas/constructor',
      '..%2f..%2fpackage.json',
      'surveys/x',
    ])
      await expectRefused(request().get(`/api/docs/${path}`), 404);
    await expectRefused(request().get('/api/docs/%E0'), 400);
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
