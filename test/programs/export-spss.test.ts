import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { useOrganization } from '../support/actors.ts';
import { exportResponses, withFile } from '../support/file-transfer.ts';
import { FULL_SURVEY_NAME, createFullSurvey, LONG_TEXT } from '../support/all-features-survey.ts';
import { number, text } from '../support/questions.ts';
import { publishedSurvey } from '../support/surveys.ts';
import { type ReadSav, readSav } from '../support/sav-reader.ts';
import { runHaven, HAVEN, PSPP, runPspp } from '../support/external-programs.ts';
import { useFolder } from '../support/test-folder.ts';

const app = useApp();
const folder = useFolder();
const author = useOrganization(app).admin;
let surveyId: number;
let headers: Record<string, string>;
let sav: ReadSav;

beforeAll(async () => {
  ({ surveyId } = await createFullSurvey(author));
  const body = { format: 'spss', weight_column: 'w', timezone: 'Europe/Berlin' };
  const reply = await exportResponses(author, surveyId, body);
  headers = reply.headers;
  writeFileSync(path.join(folder, 'out.sav'), reply.file);
  sav = readSav(reply.file);
});

const variable = (name: string) => sav.variables.find((variable) => variable.name === name)!;
const cells = (name: string) => {
  const index = sav.variables.findIndex((variable) => variable.name === name);
  return sav.rows.map((row) => row[index]);
};

describe('an SPSS export', () => {
  test('has a content type, a file name and a file label', () => {
    expect(headers['content-type']).toBe('application/x-spss-sav');
    expect(headers['content-disposition']).toContain(
      `filename*=UTF-8''${encodeURIComponent(`${FULL_SURVEY_NAME}.sav`)}`,
    );
    expect(headers['canvass-export-notes']).toBeUndefined();
    expect([sav.fileLabel, sav.weight, sav.variables.at(-1)!.name]).toEqual([FULL_SURVEY_NAME, 'w', 'w']);
  });

  test('has option codes, value labels and missing values, as a range if there are many', () => {
    expect(cells('drink')).toEqual([4, 2, 99]);
    expect(variable('drink').labels.slice(0, 3)).toEqual([
      [1, 'Espresso'],
      [2, 'Фильтр-кофе'],
      [3, 'お茶 🍵'],
    ]);
    expect(variable('drink').missing).toEqual({ count: -2, values: [96, 99] });
    expect(cells('region')).toEqual([1, 2, 3]);
    expect(variable('region').missing).toEqual({ count: 1, values: [3] });
  });

  test('writes no answer as system-missing, and labels only the labeled scale points', () => {
    expect([cells('strength'), cells('milk'), cells('places_1'), cells('order_2')]).toEqual([
      [5, 2, null],
      [0.25, null, null],
      [1, 0, null],
      [1, null, null],
    ]);
    expect(variable('strength').labels).toEqual([
      [1, 'Mild'],
      [5, 'Strong'],
    ]);
  });

  test('sizes text variables by the longest text or by the settings', async () => {
    expect([variable('why').width, variable('drink_other').width]).toEqual([4096, 16]);
    expect(cells('why')).toEqual([LONG_TEXT, '=1+1', '']);
    const bySettings = await exportResponses(author, surveyId, { format: 'spss', string_width: 'settings' });
    const widths = readSav(bySettings.file).variables.map(({ name, width }) => [name, width]);
    expect(widths).toContainEqual(['why', 32_767]);
    expect(widths).toContainEqual(['drink_other', 8_000]);
    expect(widths).toContainEqual(['photo', 37]);
  });

  test('writes whole texts that are longer than the settings allow now', async () => {
    const { surveyId: id, questionIds } = await publishedSurvey(author, [
      [text('Q1', { question_settings: { max_length: 30_000 } })],
    ]);
    const long = `${'日本'.repeat(5_000)} end`;
    await author.post(`/api/responses/${id}/rows`, { rows: [{ answers: { Q1: long } }] }).expect(201);
    await author
      .put(`/api/surveys/${id}/questions/${questionIds.Q1}`, { question_settings: { max_length: 100 } })
      .expect(200);
    for (const string_width of ['data', 'settings']) {
      const { headers: noteHeaders, file } = await exportResponses(author, id, {
        format: 'spss',
        string_width,
      });
      expect(noteHeaders['canvass-export-notes']).toBeUndefined();
      const read = readSav(file);
      expect(read.rows[0]![read.variables.findIndex(({ name }) => name === 'Q1')]).toBe(long);
    }
  });

  test('expands a requested set into its columns', async () => {
    const { file } = await exportResponses(author, surveyId, {
      format: 'spss',
      multiple: 'set',
      columns: ['places', 'places_2', 'when_pm'],
    });
    const read = readSav(file);
    expect(read.variables.map(({ name }) => name)).toEqual([
      'places_1',
      'places_2',
      'places_3',
      'when_pm_1',
      'when_pm_2',
    ]);
    const sets = read.extensions.get(7)!.toString();
    expect(sets.split('\n').map((line) => line.split('=')[0])).toEqual(['$places', '$when_pm', '']);
  });

  test('reports cut labels in a header and in its documents', async () => {
    const long = await publishedSurvey(author, [[number('Q1', { question_text: 'ж'.repeat(200) })]]);
    const { headers: noteHeaders, file } = await exportResponses(author, long.surveyId, { format: 'spss' });
    expect(noteHeaders['canvass-export-notes']).toBe('variable_label_cut=1');
    expect(readSav(file).documents.at(-1)).toBe('Q1: label truncated to 255 bytes');
    writeFileSync(path.join(folder, 'notes.sav'), file);
  });
});

describe('labels of a long question', () => {
  const question = `Which of these do you do ${'on an ordinary working day, at home or elsewhere, '.repeat(8)}if any?`;
  const options = [
    'Read a newspaper',
    'Listen to the radio',
    'Lire un journal à la maison 🗞',
    'Walk',
    'None',
  ];
  const rows = ['In the morning', 'In the evening'].map((row_label, i) => ({
    row_code: `r${i + 1}`,
    row_label,
  }));
  const endings = [
    ...options.map((option) => ` – ${option}`),
    ...rows.flatMap(({ row_label: row }) => options.map((option) => ` – ${row} – ${option}`)),
  ];
  let file: Buffer;

  beforeAll(async () => {
    const input = { question_text: question, options };
    const long = await publishedSurvey(author, [
      [
        { ...input, question_type: 'multiple_choice', question_code: 'Q1' },
        {
          ...input,
          question_type: 'matrix',
          question_code: 'Q2',
          question_settings: { rows, matrix_type: 'multiple' },
        },
      ],
    ]);
    const columns = readSav(
      (await exportResponses(author, long.surveyId, { format: 'spss' })).file,
    ).variables;
    const codes = columns.map(({ name }) => name).filter((name) => /^Q\d_/.test(name));
    ({ file } = await exportResponses(author, long.surveyId, { format: 'spss', columns: codes }));
    writeFileSync(path.join(folder, 'long.sav'), file);
  });

  const expectLabels = (labels: readonly string[]) => {
    expect(new Set(labels).size).toBe(15);
    labels.forEach((label, i) => {
      const [start, ending] = label.split('…');
      expect(ending).toBe(endings[i]);
      expect(question.startsWith(start!)).toBe(true);
      expect(start!.length).toBeGreaterThan(150);
      expect(Buffer.byteLength(label)).toBeLessThanOrEqual(255);
    });
  };

  test('shorten the question and keep option and row', () => {
    expectLabels(readSav(file).variables.map(({ label }) => label!));
    const sets = readSav(file).extensions.get(7)!.toString().trim().split('\n');
    expect(sets.map((set) => /(…| – )[^–]*? q/.exec(set)?.[0].replace(/ q$/, ''))).toEqual([
      '…',
      ' – In the morning',
      ' – In the evening',
    ]);
  });

  test('are imported as the options of one question', async () => {
    const reply = await withFile(author.post('/api/surveys/import-data'), file, {}, 'long.sav');
    expect(reply.status, reply.text).toBe(201);
    const survey = await author.get(`/api/surveys/${reply.body.data.survey_id}`).expect(200);
    const [first] = survey.body.data.pages[0].questions;
    expect(first.options.map((option: { option_label: string }) => option.option_label)).toEqual(options);
  });

  test.skipIf(PSPP.isSkipped)(`are read by PSPP without warnings${PSPP.skipNote}`, () => {
    const output = runPspp(folder, "GET FILE='long.sav'.\nDISPLAY DICTIONARY.");
    for (const ending of endings) expect(output).toContain(`…${ending}`);
  });

  test.skipIf(HAVEN.isSkipped)(`are read unchanged by R haven${HAVEN.skipNote}`, () => {
    expectLabels(runHaven(folder, `d <- read_sav("long.sav"); cat(sapply(d, attr, "label"), sep = "\\n")`));
  });
});

test.skipIf(PSPP.isSkipped)(`PSPP reads all values and labels without warnings${PSPP.skipNote}`, () => {
  const output = runPspp(
    folder,
    `GET FILE='out.sav'.
     DISPLAY DICTIONARY.
     MRSETS /DISPLAY NAME=ALL.
     SAVE TRANSLATE /OUTFILE='rows.csv' /TYPE=CSV /FIELDNAMES /CELLS=VALUES /REPLACE.
     GET FILE='notes.sav'.
     DISPLAY DOCUMENTS.`,
  );
  for (const line of [
    'drink,20,Что вы пьёте утром? 何を飲む？ ☕,Nominal,Input,8,Right,F8.0,F8.0,96 THRU 99',
    'started_at,5,Started at,Scale,Input,8,Right,DATETIME20.0,DATETIME20.0,',
    'month,42,When (month)?,Scale,Input,8,Right,MOYR8,MOYR8,',
    'w,45,A weight,Scale,Input,8,Right,F12.3,F12.3,',
    ',3,お茶 🍵',
    ',99[a],No answer 99',
    '$places,And where?,Dichotomies,1,"places_1\nplaces_2\nplaces_3"',
    '$when_am,"What, when? – Morning",Dichotomies,1,"when_am_1\nwhen_am_2"',
  ]) {
    // The position of a variable is ignored: it changes with every new metadata column.
    const anywhere = line.replace(/^(\w+),\d+,(?=.*Input)/, '$1,_,');
    expect(output.replace(/^(\w+),\d+,(?=.*Input)/gm, '$1,_,')).toContain(`\n${anywhere}\n`);
  }
  expect(output).toContain('Q1: label truncated to 255 bytes');
  const [header, first] = readFileSync(path.join(folder, 'rows.csv'), 'utf8').split(/\r?\n/);
  const shown = new Map(header!.split(',').map((name, index) => [name, first!.split(',')[index]]));
  const names = ['started_at', 'day', 'moment', 'clock', 'month', 'year', 'drink_other', 'milk'];
  expect(names.map((name) => shown.get(name))).toEqual([
    '01/15/2026 23:58:00',
    '02/28/2026',
    '02/28/2026 23:59:00',
    '07:05:00',
    '12/01/2025',
    '1999',
    'Мате 🧉',
    '0.25',
  ]);
});

test.skipIf(HAVEN.isSkipped)(`R haven reads all values and labels${HAVEN.skipNote}`, () => {
  const lines = runHaven(
    folder,
    `d <- read_sav("out.sav", user_na = TRUE)
     cat(attr(d$drink, "label"), names(attr(d$drink, "labels"))[2:3], attr(d$drink, "na_range"), sep = "|"); cat("\\n")
     cat(as.character(d$day), format(d$started_at), format(d$moment[1]), format(d$clock[1]), d$year[1], sep = "|"); cat("\\n")
     cat(d$drink_other[1], nchar(d$why[1]), d$cups, d$w, sep = "|"); cat("\\n")
     d <- read_sav("out.sav"); cat(d$drink, d$region, sep = "|")`,
  );
  expect(lines).toEqual([
    'Что вы пьёте утром? 何を飲む？ ☕|Фильтр-кофе|お茶 🍵|96|99',
    '2026-02-28|1890-05-06|NA|2026-01-15 23:58:00|2026-07-16 00:58:00|2026-07-16 00:58:00|2026-02-28 23:59:00|07:05:00|1999',
    `Мате 🧉|${LONG_TEXT.length}|2.25|NA|NA|0.5|2.5|4`,
    '4|2|NA|1|2|NA',
  ]);
});

test.skipIf(PSPP.isSkipped)(`PSPP computes the same weighted frequencies${PSPP.skipNote}`, async () => {
  const options = ['One', 'Two', 'Three', 'No answer'].map((option_label, index) => {
    return { option_label, option_value: String(index + 1), option_missing: index === 3 };
  });
  const question = {
    question_type: 'single_choice',
    question_code: 'Q1',
    question_text: 'Which?',
    options,
  };
  const weight = number('w', { question_settings: { decimals: 3 } });
  const survey = await publishedSurvey(author, [[question, weight]]);
  const rows = Array.from({ length: 200 }, (_, n) => ({
    answers: { Q1: n % 11 === 0 ? null : String(1 + ((n * 7) % 4)), w: ((n * 13) % 29) / 8 + 0.125 },
  }));
  const responsesPath = `/api/responses/${survey.surveyId}`;
  await author.post(`${responsesPath}/rows`, { rows }).expect(201);
  const distribution = await author.get(`${responsesPath}/distribution/Q1?weight=w`).expect(200);
  const { file } = await exportResponses(author, survey.surveyId, {
    format: 'spss',
    columns: ['Q1'],
    weight_column: 'w',
  });
  writeFileSync(path.join(folder, 'weighted.sav'), file);
  const output = runPspp(folder, `GET FILE='weighted.sav'.\nFREQUENCIES Q1.`);
  const categories = (
    distribution.body.data.categories as { label: string; weighted_count: number; weighted_percent: number }[]
  ).slice(0, 3);
  for (const { label, weighted_count: count, weighted_percent: percent } of categories) {
    const [, counted, valid] = new RegExp(`^(?:Valid)?,${label},([\\d.]+),[^,]+,([\\d.]+)%`, 'm').exec(
      output,
    )!;
    expect(Number(counted)).toBeCloseTo(count, 3);
    expect(Number(valid)).toBeCloseTo(percent, 1);
  }
});
