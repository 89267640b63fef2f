import type {
  CatalogColumn,
  ColumnCatalog,
  QuestionColumns,
} from '../../domain/dataset/columns/column-catalog.ts';
import type { CompiledFilter } from '../../domain/dataset/filter/filter.ts';
import { RESPONSE_STATUSES, type ResponseStatus } from '../../domain/dataset/response-row.ts';
import { selectRows } from '../../domain/dataset/filter/select-rows.ts';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { Base } from '../../domain/statistics/base.ts';
import { type Distribution, distribution } from '../../domain/statistics/distribution.ts';
import { notFound } from '../../lib/errors.ts';
import type { DatasetService } from '../datasets/datasets.ts';
import {
  loadCodesOf,
  compiled,
  knownColumn,
  type ResponseSelection,
  weightColumn,
  weightsOf,
} from '../datasets/requested-columns.ts';

interface DistributionRequest extends ResponseSelection {
  /** A numeric column. */
  weightColumn: string | null;
  base: Base;
}

interface ResponseStats {
  total: number;
  complete: number;
  partial: number;
  screened_out: number;
  /** How many of them are test responses. */
  test: number;
}

/** Figures of a survey's responses. */
export class FigureService {
  private readonly datasets: DatasetService;

  constructor(datasets: DatasetService) {
    this.datasets = datasets;
  }

  /** Every response that is not deleted and that the filter takes, by status. */
  async stats(
    scope: SurveyScope,
    { filter: asked, includeTest }: Omit<ResponseSelection, 'status'>,
  ): Promise<ResponseStats> {
    let filter: CompiledFilter | undefined;
    const { dataset } = await this.datasets.open(scope.surveyId, (catalog) => {
      filter = compiled(asked, catalog);
      return loadCodesOf([], filter);
    });
    const count = (status: readonly ResponseStatus[], withTest: boolean) =>
      selectRows(dataset, { status, includeTest: withTest, filter }).reduce((sum, counts) => sum + counts, 0);
    const total = count(RESPONSE_STATUSES, includeTest);
    return {
      total,
      complete: count(['complete'], includeTest),
      partial: count(['partial'], includeTest),
      screened_out: count(['screened_out'], includeTest),
      test: total - count(RESPONSE_STATUSES, false),
    };
  }

  /** 404 for an unknown column, naming similar ones. */
  async distribution(
    scope: SurveyScope,
    columnCode: string,
    request: DistributionRequest,
  ): Promise<Distribution> {
    let filter: CompiledFilter | undefined;
    let weight: CatalogColumn | null = null;
    const open = await this.datasets.open(scope.surveyId, (catalog) => {
      filter = compiled(request.filter, catalog);
      weight = request.weightColumn === null ? null : weightColumn(catalog, request.weightColumn);
      return loadCodesOf([knownColumn(catalog, columnCode), weight], filter);
    });
    const rows = selectRows(open.dataset, { ...request, filter });
    const entry = knownColumn(open.catalog, columnCode);
    return distribution(open.dataset, entry, { rows, weights: weightsOf(open, weight), base: request.base });
  }

  /** A question with the distribution of each of its columns; a multiple choice as one, over its respondents. */
  async question(
    scope: SurveyScope,
    questionId: number,
    request: Omit<DistributionRequest, 'base'>,
  ): Promise<{ of: QuestionColumns; distributions: Distribution[] }> {
    let filter: CompiledFilter | undefined;
    let entries: CatalogColumn[] = [];
    let weight: CatalogColumn | null = null;
    const open = await this.datasets.open(scope.surveyId, (catalog) => {
      filter = compiled(request.filter, catalog);
      entries = columnsOfQuestion(catalog, questionId);
      weight = request.weightColumn === null ? null : weightColumn(catalog, request.weightColumn);
      return loadCodesOf([...entries, weight], filter);
    });
    const rows = selectRows(open.dataset, { ...request, filter });
    const { origin } = entries[0]!;
    if (origin.kind !== 'question') throw notFound('question');
    const weights = weightsOf(open, weight);
    return {
      of: origin.of,
      distributions: entries.map((entry) => distribution(open.dataset, entry, { rows, weights })),
    };
  }
}

function columnsOfQuestion(catalog: ColumnCatalog, questionId: number): CatalogColumn[] {
  const listed = catalog.columns.filter(({ spec }) => spec.questionId === questionId);
  const origin = listed[0]?.origin;
  if (origin?.kind !== 'question') throw notFound('question');
  const sets = origin.of.sets.map((spec) => catalog.find(spec.columnCode)!);
  const others = listed.filter(({ spec }) => spec.type !== 'binary');
  return sets.length === 0 ? listed : [...sets, ...others];
}
