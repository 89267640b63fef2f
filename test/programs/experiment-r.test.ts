import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SeededRandom } from '../../src/lib/seeded-random.ts';
import { anonymous, useOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { HAVEN, runHaven } from '../support/external-programs.ts';
import { exportResponses } from '../support/file-transfer.ts';
import { choice, number } from '../support/questions.ts';
import { publishedSurvey } from '../support/surveys.ts';
import { useFolder } from '../support/test-folder.ts';

const app = useApp();
const author = useOrganization(app).admin;
const folder = useFolder();
const PEOPLE = 60;

test.skipIf(HAVEN.isSkipped)(
  `R compares the arms of an exported file as Canvass does, and finds the order shown${HAVEN.skipNote}`,
  async () => {
    const survey = await publishedSurvey(author, {
      blocks: [
        {
          block_code: 'CONCEPT',
          arms: [{ arm_code: 'A' }, { arm_code: 'B' }],
          arm_assignment: 'least_filled',
        },
        { block_code: 'BRANDS', block_arrangement: { order: 'random' } },
      ],
      pages: [
        { block_code: 'CONCEPT', questions: [number('buy')] },
        { block_code: 'BRANDS', questions: [choice('Arla', { question_settings: { shuffle: 'random' } })] },
        { block_code: 'BRANDS', questions: [choice('Oatly')] },
      ],
    });
    const random = new SeededRandom('buyers');
    const respondent = anonymous(app);
    for (let person = 0; person < PEOPLE; person++)
      await respondent
        .post(`/api/public/s/${survey.linkToken}/responses`, {
          submission_id: `person-${person}`,
          answers: { buy: random.integer(100), Arla: '1', Oatly: '2' },
        })
        .expect(201);
    const { body } = await author
      .post(`/api/responses/${survey.surveyId}/crosstab`, { rows: ['buy'], columns: ['CONCEPT_arm'] })
      .expect(200);
    const [table] = body.data.tables;
    const means = (table.mean.cells as { mean: number; count: number }[]).map(({ mean, count }) => ({
      mean,
      count,
    }));
    expect(means.map(({ count }) => count)).toEqual([PEOPLE / 2, PEOPLE / 2]);

    const csv = await exportResponses(author, survey.surveyId, { format: 'csv' });
    writeFileSync(path.join(folder, 'experiment.csv'), csv.file);
    const sav = await exportResponses(author, survey.surveyId, { format: 'spss' });
    writeFileSync(path.join(folder, 'experiment.sav'), sav.file);
    const lines = runHaven(
      folder,
      `d <- read.csv("experiment.csv")
       show <- function(...) cat(..., sep = "|")
       show(format(unname(coef(lm(buy ~ CONCEPT_arm, d))), digits = 15)); cat("\\n")
       show(sort(unique(d$Arla_position)), sort(unique(d$Oatly_position)), all(d$Arla_position + d$Oatly_position == 5)); cat("\\n")
       show(length(unique(d$Arla_order)), all(nchar(d$Arla_order) == 5)); cat("\\n")
       s <- read_sav("experiment.sav")
       show(names(attr(s$CONCEPT_arm, "labels")), sum(as.numeric(s$Arla_position) == 2), class(s$Arla_order))`,
    );
    const [a = NaN, b = NaN] = means.map(({ mean }) => mean);
    const [intercept, slope] = lines[0]!.split('|').map(Number);
    expect(intercept).toBeCloseTo(a, 9);
    expect(slope).toBeCloseTo(b - a, 9);
    expect(lines[1]).toBe('2|3|2|3|TRUE');
    // All six orders of three options are shown to some of sixty people.
    expect(lines[2]).toBe('6|TRUE');
    expect(lines[3]).toMatch(/^A\|B\|\d+\|character$/);
  },
);
