import { isDeepStrictEqual } from 'node:util';
import type { ReportScope } from '../../domain/access/scopes.ts';
import type { SlideType } from '../../domain/reports/slide-types.ts';
import { limitReached, required } from '../../lib/error-messages.ts';
import { conflict, invalid, invalidFields, notFound } from '../../lib/errors.ts';
import { findOrderProblems } from '../../lib/item-order.ts';
import type { ReportSlideRow } from '../../repositories/reports.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { Author } from '../dashboards/chart-source.ts';
import { changeReport } from './report-lock.ts';
import type { SlideValidator } from './slide-validator.ts';

const MAX_SLIDES = 500;

export interface NewSlide {
  type: SlideType;
  title: string | null;
  content: unknown;
  /** From 1; null: at the end. */
  position: number | null;
}

/** Absent members stay unchanged. Content replaces the whole previous content. */
export type SlideChanges = { [K in keyof NewSlide]?: NewSlide[K] | undefined };

/** The slides of a report. Reading them requires access to the report only. */
export class ReportSlideService {
  constructor(
    private readonly store: Store,
    private readonly check: SlideValidator,
  ) {}

  /** Inserts the slide at its position and moves the following ones. */
  async create(by: Author, scope: ReportScope, slide: NewSlide): Promise<ReportSlideRow> {
    const content = await this.check.validate(by, scope, slide.type, slide.content, null);
    return changeReport(this.store, scope, async (repositories) => {
      const count = await refuseTooManySlides(repositories, scope, 1);
      const index = clampPosition(slide.position, count + 1);
      const fields = { slide_type: slide.type, slide_title: slide.title, slide_content: content };
      const [slideId] = await repositories.reports.insertSlide(scope, index, [fields]);
      const result = { ...fields, slide_id: slideId!, slide_order: index };
      return { result, action: 'slide_created', details: { slide_id: slideId } };
    });
  }

  async update(
    by: Author,
    scope: ReportScope,
    slideId: number,
    changes: SlideChanges,
  ): Promise<ReportSlideRow> {
    const now = await this.store.read.reports.findSlide(scope, slideId);
    if (now === null) throw notFound('slide');
    const type = changes.type ?? now.slide_type;
    if (type !== now.slide_type && changes.content === undefined)
      throw invalid('slide_content', required(`if slide_type changes: the content of a ${type} slide`));
    const isOther =
      type !== now.slide_type ||
      (changes.content !== undefined && !isDeepStrictEqual(changes.content, now.slide_content));
    const content = isOther
      ? await this.check.validate(by, scope, type, changes.content, now.slide_content)
      : null;
    return changeReport(this.store, scope, async ({ reports }) => {
      const slides = await reports.listSlides(scope);
      const before = requireSlide(slides, slideId);
      const after = {
        ...before,
        slide_order: clampPosition(changes.position ?? before.slide_order, slides.length),
        slide_title: changes.title === undefined ? before.slide_title : changes.title,
        ...(content && { slide_type: type, slide_content: content }),
      };
      if (isDeepStrictEqual(after, before)) return { result: before, action: null };
      await reports.updateSlide(scope, slideId, after);
      if (after.slide_order !== before.slide_order) {
        const ids = slides.map(({ slide_id }) => slide_id).filter((id) => id !== slideId);
        ids.splice(after.slide_order - 1, 0, slideId);
        await reports.setSlideOrder(scope, ids);
      }
      return { result: after, action: 'slide_updated', details: { slide_id: slideId } };
    });
  }

  delete(scope: ReportScope, slideId: number): Promise<void> {
    return changeReport(this.store, scope, async ({ reports }) => {
      await reports.removeSlide(scope, requireSlide(await reports.listSlides(scope), slideId));
      return { result: undefined, action: 'slide_deleted', details: { slide_id: slideId } };
    });
  }

  /** Inserts a copy after the slide. */
  duplicate(scope: ReportScope, slideId: number): Promise<ReportSlideRow> {
    return changeReport(this.store, scope, async (repositories) => {
      const { reports } = repositories;
      const from = requireSlide(await reports.listSlides(scope), slideId);
      await refuseTooManySlides(repositories, scope, 1);
      const index = from.slide_order + 1;
      const [copyId] = await reports.insertSlide(scope, index, [from]);
      const result = { ...from, slide_id: copyId!, slide_order: index };
      return { result, action: 'slide_created', details: { slide_id: copyId, copy_of: slideId } };
    });
  }

  /** `slideIds` must contain every slide once, in the new order. */
  async reorder(scope: ReportScope, slideIds: readonly number[]): Promise<void> {
    await changeReport(this.store, scope, async ({ reports }) => {
      const slides = await reports.listSlides(scope);
      const existing = slides.map(({ slide_id: id }) => ({ id }));
      const problems = findOrderProblems('slide_ids', slideIds, existing, 'slide');
      if (problems.length > 0) throw invalidFields(problems);
      await reports.setSlideOrder(scope, slideIds);
      return { result: undefined, action: 'slides_reordered' };
    });
  }
}

function requireSlide(slides: readonly ReportSlideRow[], slideId: number): ReportSlideRow {
  const slide = slides.find((one) => one.slide_id === slideId);
  if (slide === undefined) throw notFound('slide');
  return slide;
}

/** Returns the number of slides. Throws 409 if `more` slides would exceed the limit. */
export async function refuseTooManySlides(
  { reports }: Repositories,
  scope: Pick<ReportScope, 'organizationId' | 'reportId'>,
  more: number,
): Promise<number> {
  const count = await reports.countSlides(scope);
  if (count + more > MAX_SLIDES)
    throw conflict('too_many_slides', limitReached('A report', MAX_SLIDES, 'slide'));
  return count;
}

/** Positions beyond the end mean the last one. */
const clampPosition = (position: number | null, last: number): number => Math.min(position ?? last, last);
