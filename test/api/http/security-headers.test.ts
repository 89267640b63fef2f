import supertest from 'supertest';
import { expect, it } from 'vitest';
import { newOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';

const test = useApp();
const headersOf = async (settings: Record<string, string> = {}, path = '/api/health') =>
  (await supertest(appOn(test.database, settings).app).get(path)).headers;

it('every reply refuses features of browsers that no page uses', async () => {
  for (const path of ['/api/health', '/', '/s/unknown', '/help', '/nowhere'])
    expect((await headersOf({}, path))['permissions-policy']).toMatch(
      /camera=\(\).*geolocation=\(\).*microphone=\(\)/,
    );
});

it('how long browsers use https only is a setting', async () => {
  expect((await headersOf())['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  expect((await headersOf({ HSTS_DAYS: '30' }))['strict-transport-security']).toBe(
    'max-age=2592000; includeSubDomains',
  );
  expect(await headersOf({ HSTS_DAYS: '0' })).not.toHaveProperty('strict-transport-security');
});

it('policies of all pages name where violations are reported, and reports are logged without addresses of pages', async () => {
  for (const path of ['/api/health', '/', '/s/unknown', '/help'])
    expect((await headersOf({}, path))['content-security-policy']).toMatch(/report-uri \/policy-reports/);
  const lines: string[] = [];
  const { app } = appOn(test.database, {}, { logLine: (line) => lines.push(line) });
  const report = (body: unknown, type = 'application/csp-report') =>
    supertest(app)
      .post('/policy-reports')
      .set('Content-Type', type)
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  const violation = {
    'csp-report': {
      'document-uri': 'https://research.example/s/SecretToken123?name=Ada#r=secret',
      'effective-directive': 'script-src-elem',
      'blocked-uri': 'https://evil.example/steal.js?secret=1',
    },
  };
  for (let count = 0; count < 25; count += 1) await report(violation).expect(204);
  await report({ other: true }).expect(204);
  await report('{', 'application/csp-report').expect(400);
  await report({ 'csp-report': { 'document-uri': 'x'.repeat(20_000) } }).expect(400);
  const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
  expect(warnings).toHaveLength(10);
  expect(warnings[0]).toMatchObject({
    directive: 'script-src-elem',
    blocked: 'https://evil.example',
    page: '/s',
  });
  expect(lines.join('')).not.toMatch(/SecretToken123|steal\.js|Ada/);
});

it('the audit log has who searched respondents, by what and how many were found, without the words', async () => {
  const { admin } = await newOrganization(test);
  await admin.post('/api/surveys/respondents', { email: 'ada@people.example', name: 'Ada' }).expect(201);
  await admin.get('/api/surveys/respondents').expect(200);
  await admin.get('/api/surveys/respondents?search=ada').expect(200);
  const { body } = await admin.get('/api/audit?action=respondents.searched').expect(200);
  expect(body.data).toHaveLength(1);
  expect(body.data[0]).toMatchObject({ object_type: 'workspace', details: { by: ['text'], found: 1 } });
  expect(JSON.stringify(body.data)).not.toContain('ada@');
});
