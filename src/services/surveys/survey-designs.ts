import type { SurveyScope } from '../../domain/access/scopes.ts';
import { selectRows } from '../../domain/dataset/filter/select-rows.ts';
import { degreesOfFreedom, type SampleDesign } from '../../domain/statistics/design/sample-design.ts';
import {
  buildSurveyDesign,
  findDesignProblems,
  listLonelyStrata,
  resolveDesign,
  type SurveyDesign,
} from '../../domain/statistics/design/survey-design.ts';
import type { SamplingDesign } from '../../domain/survey/sampling-design.ts';
import { formatList, quote } from '../../lib/error-messages.ts';
import { AppError, type ErrorDetail, invalidFields } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';
import type { DatasetService } from '../datasets/datasets.ts';
import { surveyObject } from './survey-lock.ts';

/** What a design makes of the complete responses. */
interface DesignCheck {
  /** Responses in the design. */
  responses: number;
  leftOut: SurveyDesign['leftOut'];
  /** Null for replicate weights. */
  strata: number | null;
  clusters: number | null;
  degreesOfFreedom: number;
  problems: ErrorDetail[];
}

export interface CheckedDesign {
  /** Null: the survey has none. */
  design: SamplingDesign | null;
  /** Null without a design. */
  check: DesignCheck | null;
}

const LISTED_STRATA = 5;

const NOTHING_LEFT_OUT = { withoutWeight: 0, withoutStratum: 0, withoutCluster: 0 };

/** The check of a design that cannot be used. */
const failedCheck = (problems: ErrorDetail[]): DesignCheck => ({
  responses: 0,
  leftOut: NOTHING_LEFT_OUT,
  strata: null,
  clusters: null,
  degreesOfFreedom: 0,
  problems,
});

/** The sampling designs of surveys. */
export class SurveyDesignService {
  constructor(
    private readonly store: Store,
    private readonly datasets: DatasetService,
  ) {}

  async get(scope: SurveyScope): Promise<CheckedDesign> {
    const design = await this.store.read.surveyDesigns.find(scope);
    return { design, check: design === null ? null : await this.check(scope, design) };
  }

  /** Adds or replaces the design. Throws 400 for columns that the survey does not have, or that cannot have their role. */
  async save(scope: SurveyScope, design: SamplingDesign): Promise<CheckedDesign> {
    const { catalog } = await this.datasets.open(scope.surveyId, () => []);
    const problems = findDesignProblems(design, catalog);
    if (problems.length > 0) throw invalidFields(problems);
    await surveyObject.change(this.store, scope, async ({ surveyDesigns }) => {
      await surveyDesigns.save(scope, design);
      return { result: undefined, action: 'design_saved', details: { method: design.method } };
    });
    return { design, check: await this.check(scope, design) };
  }

  remove(scope: SurveyScope): Promise<void> {
    return surveyObject.change(this.store, scope, async ({ surveyDesigns }) => {
      const isThere = (await surveyDesigns.find(scope)) !== null;
      if (isThere) await surveyDesigns.remove(scope);
      return { result: undefined, action: isThere ? 'design_deleted' : null };
    });
  }

  private async check(scope: SurveyScope, declared: SamplingDesign): Promise<DesignCheck> {
    try {
      const { dataset, resolved } = await this.datasets.openFor(scope.surveyId, (catalog) =>
        resolveDesign(declared, catalog),
      );
      const mask = selectRows(dataset);
      try {
        const { design, leftOut } = buildSurveyDesign(dataset, resolved, mask);
        return describeDesign(design, leftOut, declared);
      } finally {
        dataset.releaseMask(mask);
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'design_invalid') throw error;
      return failedCheck(
        error.details.length > 0 ? error.details : [{ field: 'design', message: error.message }],
      );
    }
  }
}

function describeDesign(
  design: SampleDesign,
  leftOut: SurveyDesign['leftOut'],
  declared: SamplingDesign,
): DesignCheck {
  const lonely = listLonelyStrata(design);
  const isRefused = declared.method === 'linearized' && declared.lonely_clusters === 'fail';
  const isLinearized = design.kind === 'linearized';
  return {
    responses: design.rows.length,
    leftOut,
    strata: isLinearized ? design.stratumStarts.length - 1 : null,
    clusters: isLinearized ? design.clusterStarts.length - 1 : null,
    degreesOfFreedom: Math.max(0, degreesOfFreedom(design)),
    problems:
      lonely.length > 0 && isRefused
        ? [
            {
              field: 'design.lonely_clusters',
              message: `Strata with one cluster have no variance: ${formatList(lonely, LISTED_STRATA, quote)}; combine them with others or choose another rule`,
            },
          ]
        : [],
  };
}
