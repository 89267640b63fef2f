import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import type { ColumnValue } from '../../../../src/domain/columns/column-spec.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import type { ResponseRow } from '../../../../src/domain/responses/response-row.ts';
import { selectRows } from '../../../../src/domain/dataset/filter/select-rows.ts';
import type { Finding } from '../../../../src/domain/insights/finding.ts';
import { findInsights, rankFindings, type TestResults } from '../../../../src/domain/insights/insights.ts';
import {
  type AnalysisInput,
  loadCodesOfVariables,
  selectVariables,
} from '../../../../src/domain/insights/variables.ts';
import type { Question } from '../../../../src/domain/survey/definition.ts';
import { response, surveyOf } from '../dataset/survey-fixture.ts';

export interface MadeResponse {
  answers: ResponseRow['answers'];
  extras?: Partial<ResponseRow>;
}

/** Creates an analysis input from generated responses. */
export function lookAt(
  questions: Question[],
  responses: readonly MadeResponse[],
  {
    waves = [],
    weights = null,
    timeZone = 'UTC',
  }: { waves?: ColumnValue[]; weights?: Float64Array | null; timeZone?: string } = {},
): AnalysisInput {
  const catalog = new ColumnCatalog(surveyOf(...questions), [], { waves, timeZone });
  const variables = selectVariables(catalog, null, null);
  const dataset = Dataset.ofRows(
    catalog,
    responses.map(({ answers, extras }, index) => response(index + 1, answers, extras)),
    [
      ...loadCodesOfVariables(variables),
      ...questions.map(({ code }) => code),
      'started_at',
      'duration_seconds',
      'last_page_id',
    ],
  );
  return { dataset, catalog, rows: { mask: selectRows(dataset), weights }, linkNames: new Map() };
}

export function ended<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** `weight`: the code of the weight column. */
export function insightsOf(
  input: AnalysisInput,
  questionIds: ReadonlySet<number> | null = null,
  weight?: string,
): { findings: Finding[]; tests: TestResults } {
  const column = weight === undefined ? null : input.catalog.find(weight)!;
  const tests = ended(findInsights(input, selectVariables(input.catalog, questionIds, column)));
  return { findings: rankFindings(tests), tests };
}

/** The findings based on a test. */
export const significantOnes = (findings: readonly Finding[]) =>
  findings.filter(({ evidence }) => evidence.qValue !== null);
