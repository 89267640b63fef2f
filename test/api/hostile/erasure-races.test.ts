import { EventEmitter, once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJobKinds } from '../../../src/jobs/job-kinds.ts';
import { signPanelEntry } from '../../../src/lib/panel-signature.ts';
import { AnalysisResultRepository } from '../../../src/repositories/analysis-results.ts';
import { type Actor, anonymous, newOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { askAndWait } from '../../support/chat.ts';
import { addChart, newDashboard } from '../../support/dashboards.ts';
import { useWorkers } from '../../support/jobs.ts';
import { number, text } from '../../support/questions.ts';
import { addSlide, newReport } from '../../support/reports.ts';
import { findInFiles, findInTables } from '../../support/search-storage.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

/** What runs while a response is erased, or refers to it without its words, must not leave them behind. */
const test = useApp();
const queue = useWorkers(test);
let admin: Actor;
let survey: PublishedSurvey;
let word: string;
let planted = 0;

beforeEach(async () => {
  mkdirSync(test.container.config.dataDir, { recursive: true });
  ({ admin } = await newOrganization(test));
  word = `runningword${(planted += 1)}x`;
  survey = await publishedSurvey(admin, [[text('Q1'), number('Q2')]]);
});
afterEach(() => vi.restoreAllMocks());

const at = () => `/api/responses/${survey.surveyId}`;
async function addResponses(...answers: object[]): Promise<number[]> {
  await admin.post(`${at()}/rows`, { rows: answers.map((each) => ({ answers: each })) }).expect(201);
  const { rows } = (await admin.get(`${at()}/grid`).expect(200)).body.data as {
    rows: { response_id: number }[];
  };
  return rows.map((row) => row.response_id).sort((a, b) => a - b);
}
const erase = (responseId: number) => admin.post(`${at()}/rows/${responseId}/erase`).expect(200);
const dataFiles = () =>
  readdirSync(test.container.config.dataDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f-]{36}$/.test(name),
  );
const statusOf = async (jobId: number) =>
  (await admin.get(`/api/jobs/${jobId}`).expect(200)).body.data.status as string;

async function startJob(path: string, body: object = {}): Promise<number> {
  const started = await admin.post(path, body).set('Prefer', 'respond-async').expect(202);
  return started.body.data.job_id;
}

interface CreatedFile {
  chunks: AsyncIterable<string | Buffer>;
}

/** Lets the next file of a service be written up to its last chunk, then waits until `go` is called. */
function pauseBeforeLastChunk(service: { createFile: (...given: never[]) => Promise<CreatedFile> }) {
  const createFile = service.createFile.bind(service);
  const events = new EventEmitter();
  vi.spyOn(service, 'createFile').mockImplementationOnce(async (...given) => {
    const file = await createFile(...given);
    async function* chunks() {
      const all: (string | Buffer)[] = [];
      for await (const chunk of file.chunks) all.push(chunk);
      yield* all.slice(0, -1);
      events.emit('paused');
      await once(events, 'go');
      yield* all.slice(-1);
      events.emit('over');
    }
    return { ...file, chunks: chunks() };
  });
  return { paused: once(events, 'paused'), go: () => events.emit('go') };
}

async function reportAbout(content: object) {
  const report = await newReport(admin);
  await addSlide(admin, report, content);
  return report;
}
const ownChart = () => ({
  slide_type: 'chart',
  slide_content: {
    charts: [{ chart_type: 'histogram', chart_config: { survey_id: survey.surveyId, dimension: 'Q2' } }],
  },
});

describe('a file that is being written while a response is erased', () => {
  it.each(['responses', 'a report'])('is discarded: an export of %s', async (what) => {
    const [responseId] = await addResponses({ Q1: word, Q2: 97 });
    const report = await reportAbout(ownChart());
    const before = dataFiles();
    const { exportFiles, reportFiles } = test.container.services;
    const { paused, go } = pauseBeforeLastChunk(what === 'responses' ? exportFiles : reportFiles);
    const jobId =
      what === 'responses'
        ? await startJob(`${at()}/export`, { format: 'csv' })
        : await startJob(`${report.at}/export/pdf`);
    queue.worker(createJobKinds(test.container.services));
    await paused;
    await erase(responseId!);
    go();
    await admin.get(`/api/jobs/${jobId}`).expect(404);
    await admin.get(`/api/jobs/${jobId}/file`).expect(404);
    await expect.poll(dataFiles, { timeout: 15_000 }).toEqual(before);
    // A file that was being received is deleted a moment after its job has ended.
    await expect
      .poll(() => findInFiles(test.container.config.dataDir, word), { timeout: 15_000 })
      .toEqual([]);
    expect(await findInTables(test, word)).toEqual([]);
  });
});

describe('finished files of reports', () => {
  it('are removed if they may show the erased response, and others stay', async () => {
    const [responseId] = await addResponses({ Q1: word, Q2: 97 });
    const other = await publishedSurvey(admin, [[number('Q2')]]);
    const board = await newDashboard(admin);
    const chartId = await addChart(admin, board, 'histogram', {
      survey_id: survey.surveyId,
      dimension: 'Q2',
    });
    const linked = { slide_type: 'chart', slide_content: { charts: [{ chart_id: chartId }] } };
    const reports = {
      own: await reportAbout(ownChart()),
      linked: await reportAbout(linked),
      changed: await reportAbout(ownChart()),
      unrelated: await reportAbout({
        slide_type: 'chart',
        slide_content: {
          charts: [{ chart_type: 'histogram', chart_config: { survey_id: other.surveyId, dimension: 'Q2' } }],
        },
      }),
    };
    const jobs: Record<string, number> = {};
    for (const [name, report] of Object.entries(reports))
      jobs[name] = await startJob(`${report.at}/export/pptx`);
    queue.worker(createJobKinds(test.container.services));
    for (const jobId of Object.values(jobs))
      await expect.poll(() => statusOf(jobId), { timeout: 30_000 }).toBe('done');
    // Its slide about the survey is gone, but not what the file shows.
    const { slides } = (await admin.get(reports.changed.at).expect(200)).body.data;
    await admin.delete(`${reports.changed.at}/slides/${slides[0].slide_id}`).expect(204);
    const before = dataFiles().length;
    await erase(responseId!);
    for (const name of ['own', 'linked', 'changed']) await admin.get(`/api/jobs/${jobs[name]}`).expect(404);
    await admin.get(`/api/jobs/${jobs.unrelated}/file`).expect(200);
    expect(dataFiles().length).toBe(before - 3);
  });
});

describe('the chat', () => {
  const messages = () =>
    test.database.db('chat_messages').orderBy('message_id').select('message_role', 'content', 'figures');

  it('loses answers that quote a short or a long answer, and keeps others', async () => {
    const long = `${word} ${'and much more of it '.repeat(20)}`;
    const [shortId, longId] = await addResponses({ Q1: 'Bo', Q2: 1 }, { Q1: long, Q2: 2 });
    const about = { survey_id: survey.surveyId };
    const quoting = await askAndWait(admin, { ...about, message: 'What do people say in Q1?' });
    expect(quoting.text).toContain(`“Bo” (response ${shortId})`);
    expect(quoting.text).not.toContain(long.trim());
    const counting = await askAndWait(admin, { ...about, message: 'How many responses are there?' });
    // As a model could quote it: shortened, without the id of the response.
    const shortened = `One says “${long.slice(0, 100)}…”`;
    const { message_id: id } = counting.start!;
    await erase(shortId!);
    expect(JSON.stringify(await messages())).not.toMatch(/Bo”|runningword/);
    expect(JSON.stringify(await messages())).toContain(counting.text.slice(0, 20));
    await test.database.db('chat_messages').where({ message_id: id }).update({ content: shortened });
    await erase(longId!);
    expect(await findInTables(test, word)).toEqual([]);
  });

  it('ends answers that are being generated: they could quote the response later', async () => {
    const [responseId] = await addResponses({ Q1: word, Q2: 1 });
    const counting = await askAndWait(admin, { survey_id: survey.surveyId, message: 'How many responses?' });
    const { db } = test.database;
    const key = { message_id: counting.start!.message_id };
    await db('chat_messages').where(key).update({ message_state: 'answering', content: '' });
    const [reservationId] = await db('chat_messages').where(key).pluck<number[]>('reservation_id');
    const { chatSessions } = queue.store().read;
    const event = (event_number: number) => ({ event_number, event_name: 'delta', data: { text: word } });
    expect(await chatSessions.insertEvents(key.message_id, reservationId!, [event(1001)] as never)).toBe(
      true,
    );
    await erase(responseId!);
    expect(await chatSessions.insertEvents(key.message_id, reservationId!, [event(1002)] as never)).toBe(
      false,
    );
    await chatSessions.savePlannedContent(key.message_id, word);
    expect(await chatSessions.endAnswer(key.message_id, reservationId!, 'complete')).toBeNull();
    expect(await findInTables(test, word)).toEqual([]);
  });
});

describe('results of an analysis', () => {
  it('are not stored if a response was erased since its texts were read', async () => {
    const texts = Array.from({ length: 12 }, (_, index) => ({ Q1: `${word} is too slow, number ${index}` }));
    const ids = await addResponses(...texts);
    const { access, responseErasure } = test.container.services;
    const scope = await access.survey({
      caller: { userId: admin.userId, organizationId: admin.organizationId, role: 'admin' },
      surveyId: survey.surveyId,
      need: 'edit',
    });
    const insertMany: AnalysisResultRepository['insertMany'] = Reflect.get(
      AnalysisResultRepository.prototype,
      'insertMany',
    );
    let erased = false;
    vi.spyOn(AnalysisResultRepository.prototype, 'insertMany').mockImplementation(async function (
      this: AnalysisResultRepository,
      ...given
    ) {
      // The erasure commits between the analysis and the storing of its result.
      if (!erased) for (const id of ids) await responseErasure.erase(scope, id);
      erased = true;
      await insertMany.apply(this, given);
    });
    await admin.post(`${at()}/ai/themes`, { question_id: survey.questionIds.Q1 }).expect(200);
    expect(erased).toBe(true);
    expect(await test.database.db('analysis_results').where({ survey_id: survey.surveyId })).toEqual([]);
    expect(await findInTables(test, word)).toEqual([]);
  });
});

describe('a signed panel link', () => {
  async function panelResponse() {
    const links = `/api/surveys/${survey.surveyId}/links`;
    const link = await admin.post(links, { link_type: 'panel', requires_signature: true }).expect(201);
    const { link_id: linkId, link_token: linkToken } = link.body.data;
    const created = await admin.post(`${links}/${linkId}/signing-key`).expect(201);
    const signedAt = Math.floor(Date.now() / 1000);
    const externalId = `member-${word}`;
    const entry = {
      external_id: externalId,
      signed_at: signedAt,
      signature: signPanelEntry(created.body.data.signing_key, { linkToken, externalId, signedAt }),
    };
    const submit = () =>
      anonymous(test).post(`/api/public/s/${linkToken}/responses`, { answers: { Q1: word }, ...entry });
    const done = await submit().expect(201);
    await submit().expect(410);
    const mismatches = await admin.get(`${links}/${linkId}/mismatches`).expect(200);
    expect(mismatches.body.data.latest).toMatchObject([{ reason: 'used', external_id: externalId }]);
    return { responseId: done.body.data.response_id as number, signature: entry.signature };
  }

  it('forgets the entry and the mismatches of an erased response', async () => {
    const { signature } = await panelResponse();
    const [responseId] = await addResponses({ Q2: 1 });
    expect(await findInTables(test, signature)).toEqual(['link_entries.signature']);
    await erase(responseId!);
    for (const trace of [word, signature]) expect(await findInTables(test, trace), trace).toEqual([]);
  });

  it.each([true, false])(
    'forgets those of an erased respondent, with responses: %s',
    async (erasesResponses) => {
      const { signature } = await panelResponse();
      const [responseId] = await addResponses({ Q2: 1 });
      const respondentId = await respondentOf(responseId!);
      await admin
        .delete(`/api/surveys/respondents/${respondentId}${erasesResponses ? '?erase_responses=true' : ''}`)
        .expect(204);
      expect(await findInTables(test, `member-${word}`)).toEqual([]);
      expect(await findInTables(test, signature)).toEqual(erasesResponses ? [] : ['link_entries.signature']);
      expect(await findInTables(test, word)).toEqual(erasesResponses ? [] : ['responses.answers']);
    },
  );

  /** Makes the response one of a respondent, as if it was invited. */
  async function respondentOf(responseId: number) {
    const { body } = await admin
      .post('/api/surveys/respondents', { external_id: `person-${planted}` })
      .expect(201);
    const respondentId: number = body.data.respondent_id;
    await test.database
      .db('responses')
      .where({ response_id: responseId })
      .update({ respondent_id: respondentId });
    return respondentId;
  }
});
