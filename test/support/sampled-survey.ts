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

/** Rows that one request adds. */
const BATCH_ROWS = 2_000;

/**
 * Publishes a survey with the 8,591 respondents of `data(nhanes)`: race, chol (0 or 1), SDMVSTRA, SDMVPSU and WTMEC2YR. The weights of respondents
 * of the same stratum, cluster and answers have the sum and the sum of squares of the original ones, on which tests of tables depend.
 */
export async function nhanesSurvey(author: Actor): Promise<number> {
  const { surveyId } = await publishedSurvey(author, [
    [
      choiceOf('race', ['1', '2', '3', '4']),
      choiceOf('chol', ['0', '1']),
      ...['SDMVSTRA', 'SDMVPSU', 'WTMEC2YR'].map(numberOf),
    ],
  ]);
  const data = readDesignData('nhanes');
  const column = (name: string) => data.numbers(name);
  const [counts, sums, squares] = [column('respondents'), column('weight'), column('squared_weight')];
  const [strata, clusters, answered] = [column('SDMVSTRA'), column('SDMVPSU'), data.texts('chol')];
  const races = data.texts('race');
  const rows = Array.from(counts, (count, index) => {
    const mean = sums[index]! / count;
    const spread = Math.sqrt(Math.max(0, squares[index]! / count - mean ** 2));
    const chol = answered[index]!;
    const answers = {
      race: races[index]!,
      ...(chol !== '' && { chol }),
      SDMVSTRA: strata[index]!,
      SDMVPSU: clusters[index]!,
    };
    // One weight far from the mean, and the others near it on the other side.
    return Array.from({ length: count }, (_, position) => {
      const distance = position === 0 ? spread * Math.sqrt(count - 1) : -spread / Math.sqrt(count - 1);
      return { answers: { ...answers, WTMEC2YR: count === 1 ? mean : mean + distance } };
    });
  }).flat();
  for (let start = 0; start < rows.length; start += BATCH_ROWS)
    await author
      .post(`/api/responses/${surveyId}/rows`, { rows: rows.slice(start, start + BATCH_ROWS) })
      .expect(201);
  return surveyId;
}

/** Columns with the replicate weights of `replicateSchoolSurvey`. */
const REPLICATES = Array.from({ length: 15 }, (_, index) => `rw${index + 1}`);

/** `svrepdesign(weights = ~pw, repweights = "rw", type = "JK1", combined.weights = TRUE, data = apiclus1)` */
export const APICLUS1_REPLICATES = { method: 'jk1', weight: 'pw', replicates: REPLICATES };

/**
 * Publishes the survey of the schools of apiclus1 with a weight for each district that is left out (`rw1` to `rw15`), awards and improvement as a
 * multiple choice (`features`) and as a matrix (`views`), and `meals %% 11` as a Net Promoter Score.
 */
export async function replicateSchoolSurvey(author: Actor): Promise<number> {
  const rowOf = (row_code: string) => ({ row_code, row_label: row_code });
  const features = choiceOf('features', ['awards', 'improved']);
  const { surveyId } = await publishedSurvey(author, [
    [
      choiceOf('stype', ['E', 'H', 'M']),
      choiceOf('sch_wide', ['No', 'Yes']),
      choiceOf('comp_imp', ['No', 'Yes']),
      { ...features, question_type: 'multiple_choice' },
      {
        ...choiceOf('views', ['No', 'Yes'], { rows: [rowOf('awards'), rowOf('improved')] }),
        question_type: 'matrix',
      },
      { question_type: 'nps', question_code: 'recommend' },
      ...['dnum', 'pw', 'fpc', 'api00', ...REPLICATES].map(numberOf),
    ],
  ]);
  const data = readDesignData('apiclus1');
  const textsOf = (column: string) => data.texts(column);
  const [types, wide, awards, improved] = ['stype', 'sch.wide', 'awards', 'comp.imp'].map(textsOf);
  const [districts, weights, populations, scores, meals] = ['dnum', 'pw', 'fpc', 'api00', 'meals'].map(
    (column) => data.numbers(column),
  );
  const clusters = [...new Set(districts)];
  const rows = Array.from({ length: data.size }, (_, row) => {
    const weight = weights![row]!;
    const left = clusters.map((cluster) => (cluster === districts![row] ? 0 : (weight * 15) / 14));
    const [award, improvement] = [awards![row]!, improved![row]!];
    return {
      answers: {
        stype: types![row]!,
        sch_wide: wide![row]!,
        comp_imp: improvement,
        features: [award === 'Yes' ? ['awards'] : [], improvement === 'Yes' ? ['improved'] : []].flat(),
        views: { awards: award, improved: improvement },
        recommend: meals![row]! % 11,
        dnum: districts![row]!,
        pw: weight,
        fpc: populations![row]!,
        api00: scores![row]!,
        ...Object.fromEntries(left.map((value, index) => [REPLICATES[index], value])),
      },
    };
  });
  await author.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
  return surveyId;
}
