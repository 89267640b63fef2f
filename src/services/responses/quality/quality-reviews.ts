import { setImmediate } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { InclusionCounts } from '../../../domain/dataset/filter/select-rows.ts';
import {
  type FlagSource,
  ReviewCounts,
  reviewFlags,
  type ReviewState,
} from '../../../domain/quality/quality-flag.ts';
import { unknownObject } from '../../../lib/error-messages.ts';
import type { Clock } from '../../../lib/clock.ts';
import { invalidFields } from '../../../lib/errors.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { Store } from '../../../repositories/store.ts';
import type { DataChangeService, OpenChange } from '../changes/data-changes.ts';
import type { ResponseSelection } from '../../datasets/requested-columns.ts';
import type { ResponseReader } from '../../datasets/response-reader.ts';

const CHUNK_ROWS = 1_000;
const MAX_NAMED_PROBLEMS = 20;

interface ReviewRequest {
  /** Responses by id or by selection. */
  which: { responseIds: readonly number[] } | ResponseSelection;
  /** null: the flags of every check. */
  check: FlagSource | null;
  review: ReviewState;
  reason: string | null;
  dryRun: boolean;
}

interface ReviewOutcome {
  changeId: number | null;
  /** Number of named or matching responses. */
  processed: number;
  updated: number;
  /** Without such a flag, or already reviewed with this result. */
  unchanged: number;
}

/** Reviews of quality flags, and their progress. */
export class QualityReviewService {
  constructor(
    private readonly store: Store,
    private readonly responses: ResponseReader,
    private readonly changes: DataChangeService,
    private readonly clock: Clock,
  ) {}

  async review(scope: SurveyScope, request: ReviewRequest): Promise<ReviewOutcome> {
    const ids =
      'responseIds' in request.which
        ? await this.requireKnownIds(scope, request.which.responseIds)
        : (await this.responses.listIds(scope, request.which)).ids;
    const { check, review: state, reason, dryRun } = request;
    const review = { state, userId: scope.userId, at: this.clock.now() };
    let updated = 0;
    const reviewAll = async ({ responseQuality }: Repositories, change: OpenChange | null) => {
      for (let start = 0; start < ids.length; start += CHUNK_ROWS) {
        const chunk = Array.from(ids.subarray(start, start + CHUNK_ROWS));
        const rows = await responseQuality.qualityOf(scope.surveyId, chunk, [], change !== null);
        const patches = rows.flatMap(({ response_id: responseId, quality: before }) => {
          const after = before === null ? null : reviewFlags(before, check, review);
          return after === null
            ? []
            : [{ responseId, before: { quality: before }, after: { quality: after } }];
        });
        await change?.patchResponses(patches);
        updated += patches.length;
        await setImmediate();
      }
    };
    const details = { review: state, check };
    const entry = { operation: 'quality_review', reason, columnCodes: [], details, dryRun: false } as const;
    // A dry run computes the patches without writing them.
    if (dryRun) await reviewAll(this.store.read, null);
    const changeId = dryRun ? null : (await this.changes.run(scope, entry, reviewAll)).changeId;
    return { changeId, processed: ids.length, updated, unchanged: ids.length - updated };
  }

  /** Counts the flags of the selected responses by check and review state. */
  async countReviews(
    scope: SurveyScope,
    selection: ResponseSelection,
  ): Promise<{ responses: number; counts: ReviewCounts; counted: InclusionCounts }> {
    const { ids, counted } = await this.responses.listIds(scope, selection);
    const selected = new Set(ids);
    const counts = new ReviewCounts();
    const { responseQuality } = this.store.read;
    for (let afterId = 0; ;) {
      const rows = await responseQuality.flaggedAfter(scope.surveyId, afterId, CHUNK_ROWS);
      for (const { response_id: id, quality } of rows) if (selected.has(id)) counts.add(quality);
      if (rows.length < CHUNK_ROWS) return { responses: ids.length, counts, counted };
      afterId = rows.at(-1)!.response_id;
    }
  }

  /** Distinct ids, ascending. Throws 400 for an id that is not a response of the survey. */
  private async requireKnownIds(scope: SurveyScope, responseIds: readonly number[]): Promise<Float64Array> {
    const known = await this.store.read.responseQuality.known(scope.surveyId, responseIds);
    const problems = responseIds.flatMap((id, index) =>
      known.has(id)
        ? []
        : [{ field: `response_ids[${index}]`, message: unknownObject('response', id, 'in this survey') }],
    );
    if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_NAMED_PROBLEMS));
    return Float64Array.from(known).sort();
  }
}
