import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { useOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { HAVEN, runHaven } from '../support/external-programs.ts';
import { exportResponses } from '../support/file-transfer.ts';
import { readSav } from '../support/sav-reader.ts';
import { publishedSurvey } from '../support/surveys.ts';
import { useFolder } from '../support/test-folder.ts';

const app = useApp();
const author = useOrganization(app).admin;
const folder = useFolder();

test.skipIf(HAVEN.isSkipped)(`R haven reads the items of a constant sum${HAVEN.skipNote}`, async () => {
  const { surveyId } = await publishedSurvey(author, [
    [
      {
        question_type: 'constant_sum',
        question_code: 'Q1',
        question_text: 'Divide the points',
        question_settings: { decimals: 1, suffix: 'points' },
        options: ['Taste', 'Price', 'Speed'],
      },
    ],
  ]);
  const answers = [{ '1': 60, '2': 40 }, { '1': 33.4, '2': 33.3, '3': 33.3 }, { '3': 100 }, null];
  const rows = answers.map((Q1) => ({ answers: { Q1 } }));
  await author.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
  const { file } = await exportResponses(author, surveyId, { format: 'spss' });
  const variable = readSav(file).variables.find(({ name }) => name === 'Q1_2');
  expect(variable).toMatchObject({ label: 'Divide the points – Price' });
  writeFileSync(path.join(folder, 'points.sav'), file);
  const lines = runHaven(
    folder,
    `d <- read_sav("points.sav")
     cat(attr(d$Q1_1, "label"), attr(d$Q1_1, "format.spss"), d$Q1_1, sep = "|"); cat("\\n")
     cat(round(colMeans(d[c("Q1_1", "Q1_2", "Q1_3")], na.rm = TRUE), 4), sep = "|"); cat("\\n")
     cat(rowSums(d[c("Q1_1", "Q1_2", "Q1_3")]), sep = "|")`,
  );
  expect(lines).toEqual([
    'Divide the points – Taste|F12.1|60|33.4|0|NA',
    '31.1333|24.4333|44.4333',
    '100|100|100|NA',
  ]);
});
