import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { useOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { HAVEN, runHaven } from '../support/external-programs.ts';
import { exportResponses } from '../support/file-transfer.ts';
import { publishedSurvey } from '../support/surveys.ts';
import { useFolder } from '../support/test-folder.ts';

const app = useApp();
const author = useOrganization(app).admin;
const folder = useFolder();

const no_answers = [
  { reason: 'dont_know', code: 97 },
  { reason: 'refused', code: 98, label: 'Prefer not to say' },
];

test.skipIf(HAVEN.isSkipped)(
  `R haven reads reasons instead of an answer as user-missing values${HAVEN.skipNote}`,
  async () => {
    const { surveyId } = await publishedSurvey(author, [
      [
        { question_type: 'number', question_code: 'age', question_settings: { no_answers, max: 90 } },
        { question_type: 'text', question_code: 'why', question_settings: { no_answers } },
        { question_type: 'date', question_code: 'day', question_settings: { no_answers } },
      ].map((question) => ({ question_text: 'About this', ...question })),
    ]);
    const answers = [
      { age: 34, why: 'Price', day: '2026-03-01' },
      ...['dont_know', 'refused'].map((no_answer) => ({
        age: { no_answer },
        why: { no_answer },
        day: { no_answer },
      })),
      { age: null, why: null, day: null },
    ];
    const rows = answers.map((each) => ({ answers: each }));
    await author.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
    const { file } = await exportResponses(author, surveyId, { format: 'spss' });
    writeFileSync(path.join(folder, 'reasons.sav'), file);
    const lines = runHaven(
      folder,
      `d <- read_sav("reasons.sav", user_na = TRUE)
       plain <- read_sav("reasons.sav")
       show <- function(...) cat(..., sep = "|")
       show(as.numeric(d$age)); cat("\\n")
       show(is.na(d$age)); cat("\\n")
       show(attr(d$age, "na_values"), names(attr(d$age, "labels"))); cat("\\n")
       show(as.character(d$why)); cat("\\n")
       show(is.na(d$why)); cat("\\n")
       show(attr(d$day, "na_values")); cat("\\n")
       show(as.character(as.Date(plain$day))); cat("\\n")
       show(mean(plain$age, na.rm = TRUE), sum(is.na(plain$age)), sum(is.na(plain$why)), sum(is.na(plain$day)))`,
    );
    expect(lines).toEqual([
      '34|97|98|NA',
      'FALSE|TRUE|TRUE|TRUE',
      '97|98|Don’t know|Prefer not to say',
      'Price|97|98|',
      'FALSE|TRUE|TRUE|FALSE',
      // haven keeps the codes of dates and reads them as missing unless it is asked for user-missing values.
      '97|98',
      '2026-03-01|NA|NA|NA',
      '34|3|2|3',
    ]);
  },
);
