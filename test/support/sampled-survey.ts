import type { Actor } from './actors.ts';
import { type DesignData, readDesignData } from './survey-designs.ts';
import { publishedSurvey } from './surveys.ts';

const choiceOf = (code: string, values: readonly string[], settings: object = {}) => ({
  question_type: 'single_choice',
  question_code: code,
  question_settings: settings,
  options: values.map((value) => ({ option_label: value, option_value: value })),
});

const numberOf = (code: string) => ({
  question_type: 'number',
  question_code: code,
  question_settings: { decimals: 10 },
});

/** `svydesign(~dnum, weights = ~pw, fpc = ~fpc, data = apiclus1)` of the R package survey. */
export const APICLUS1_DESIGN = {
  method: 'linearized',
  weight: 'pw',
  clusters: ['dnum'],
  population: { kind: 'sizes', column_code: 'fpc' },
};

const NUMBERS = ['dnum', 'pw', 'fpc', 'api99', 'api00', 'enroll', 'meals'];

function rowsOf(data: DesignData, columns: readonly string[]) {
  const cells = columns.map((column) => data.texts(column));
  return Array.from({ length: data.size }, (_, row) => ({
    answers: Object.fromEntries(
      columns.flatMap((column, index) => {
        const text = cells[index]![row]!;
        if (text === '') return [];
        return [[codeOf(column), NUMBERS.includes(column) ? Number(text) : text]];
      }),
    ),
  }));
}

const codeOf = (column: string) => column.replaceAll('.', '_');

/** Publishes a survey of schools with the responses of a data set of the R package survey: `sch_wide` for `sch.wide`. */
export async function schoolSurvey(author: Actor, name: 'apiclus1' | 'apistrat'): Promise<number> {
  const yesNo = ['No', 'Yes'];
  const { surveyId } = await publishedSurvey(author, [
    [
      choiceOf('stype', ['E', 'H', 'M']),
      choiceOf('sch_wide', yesNo),
      choiceOf('awards', yesNo),
      choiceOf('comp_imp', yesNo),
      { question_type: 'text', question_code: 'comment' },
      ...NUMBERS.map(numberOf),
    ],
  ]);
  const rows = rowsOf(readDesignData(name), ['stype', 'sch.wide', 'awards', 'comp.imp', ...NUMBERS]);
  await author.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
  return surveyId;
}
