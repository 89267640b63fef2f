import supertest from 'supertest';
import { beforeAll, expect, it } from 'vitest';
import { useOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { COFFEE_SURVEY } from '../support/coffee-survey.ts';
import { choice } from '../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../support/surveys.ts';

const MAX_SCRIPT_BYTES = 37_000;

const test = useApp();
const request = () => supertest(test.app);
const admin = useOrganization(test).admin;
let survey: PublishedSurvey;
beforeAll(async () => {
  survey = await publishedSurvey(admin, COFFEE_SURVEY);
});

const filesOf = (html: string) => [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]!);

it('sends the first page uncached with only its own script and style', async () => {
  const shell = await request().get(`/s/${survey.linkToken}`).expect(200).expect('Content-Type', /html/);
  expect(shell.headers['cache-control']).toBe('no-store');
  expect(shell.text).toContain('What do you usually drink in the morning?');
  expect(filesOf(shell.text)).toEqual([
    expect.stringMatching(/^\/s\/assets\/page-[\w-]{8}\.css$/),
    expect.stringMatching(/^\/s\/assets\/main-[\w-]{8}\.js$/),
  ]);
  const markup = shell.text.replace(/<script type="application\/json".*<\/script>/s, '');
  // The page names its own address, for frames in which it cannot start.
  const own = new RegExp(`http://127\\.0\\.0\\.1:\\d+/s/${survey.linkToken}`, 'g');
  expect(markup.replace(own, '')).not.toMatch(/https?:\/\/|style=|\son\w+=/);
});

it('sends immutable compressed assets with a script of less than 37 kB', async () => {
  const { text } = await request().get(`/s/${survey.linkToken}`);
  for (const file of filesOf(text)) {
    for (const encoding of ['gzip', 'br']) {
      const reply = await request()
        .get(file)
        .set('Accept-Encoding', encoding)
        .buffer(true)
        .parse((response, done) => {
          let bytes = 0;
          response.on('data', (chunk: Buffer) => (bytes += chunk.length));
          response.on('end', () => done(null, bytes));
        })
        .expect(200)
        .expect('Cache-Control', 'public, max-age=31536000, immutable')
        .expect('Vary', /Accept-Encoding/)
        .expect('Content-Encoding', encoding);
      expect(Number(reply.headers['content-length'])).toBeLessThan(MAX_SCRIPT_BYTES);
    }
    const plain = await request().get(file).set('Accept-Encoding', 'identity').expect(200);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    // Pages use the browser's regular expressions.
    expect(String(plain.text)).not.toContain('RE2JS');
  }
  await request().get('/s/assets/main-00000000.js').expect(404);
});

it('allows only its own scripts and embedding by the origins of the survey', async () => {
  const policyOf = async (token: string) =>
    (await request().get(`/s/${token}`)).headers['content-security-policy']!.split('; ');
  const policy = await policyOf(survey.linkToken);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("style-src 'self'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("img-src 'self' data:");
  expect(policy).toContain("frame-ancestors 'self'");

  const open = await publishedSurvey(admin, {
    survey_name: 'Embedded',
    settings: { embed_origins: ['https://news.example'] },
    pages: [
      {
        questions: [
          choice('Q1', {
            options: [
              { option_label: 'A', option_image: 'https://pictures.example/a.png' },
              // Without validation, this would end the directive and start another one.
              { option_label: 'B', option_image: 'https://a;script-src.example/b.png' },
            ],
          }),
        ],
      },
    ],
  });
  const wider = await policyOf(open.linkToken);
  expect(wider).toContain("frame-ancestors 'self' https://news.example");
  expect(wider).toContain("img-src 'self' data: https://pictures.example");
  expect((await request().get(`/s/${open.linkToken}`)).headers).not.toHaveProperty('x-frame-options');
});

it('escapes texts of authors', async () => {
  const hostile = '</script><script>alert(1)</script><!-- "\' \u2028 end';
  const survey = await publishedSurvey(admin, {
    survey_name: hostile,
    pages: [{ questions: [choice('Q1', { question_text: hostile })] }],
  });
  const { text } = await request().get(`/s/${survey.linkToken}`).expect(200);
  expect(text).not.toContain('<script>alert');
  expect(text.match(/<\/script>/g)).toHaveLength(2);
  const state = /<script type="application\/json" id="state">(.*)<\/script>/.exec(text)![1]!;
  expect((JSON.parse(state) as { definition: { name: string } }).definition.name).toBe(hostile);
});

it('omits retired and hidden items and internal settings', async () => {
  const survey = await publishedSurvey(admin, {
    survey_name: 'Secrets',
    settings: { redirect_url: 'https://panel.example/secret' },
    pages: [
      {
        questions: [
          choice('Q1'),
          choice('H1', { question_text: 'Sampling cell', question_settings: { hidden: true } }),
        ],
      },
    ],
  });
  const { text } = await request().get(`/s/${survey.linkToken}`).expect(200);
  expect(text).not.toContain('Sampling cell');
  expect(text).not.toContain('panel.example');
});

it('sends a page with status 404 for unknown links', async () => {
  for (const [path, status] of [
    ['/s/nothing-here-1', 404],
    ['/s/preview/preview-1-1111111111-aaaaaaaaaaaaaaaaaaaaaa', 404],
    ['/s/%00', 404],
    [`/s/${'x'.repeat(3_000)}`, 404],
  ] as const) {
    const reply = await request().get(path);
    expect({ path, status: reply.status, type: reply.headers['content-type'] }).toEqual({
      path,
      status,
      type: 'text/html; charset=utf-8',
    });
  }
});
