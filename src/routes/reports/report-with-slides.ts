import type { z } from 'zod';
import type { ReportScope } from '../../domain/access/scopes.ts';
import type { Services } from '../../services/services.ts';
import { presentReport, presentSlide, type reportWithSlidesSchema } from './report-fields.ts';

/** Returns a report with its slides. */
export async function presentReportWithSlides(
  { reports }: Services,
  scope: ReportScope,
): Promise<z.input<typeof reportWithSlidesSchema>> {
  const { report, slides } = await reports.get(scope);
  return { ...presentReport(report), my_role: scope.role, slides: slides.map(presentSlide) };
}
