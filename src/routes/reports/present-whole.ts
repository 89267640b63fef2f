import type { z } from 'zod';
import type { ReportScope } from '../../domain/access/scopes.ts';
import type { Services } from '../../services/services.ts';
import { presentReport, presentSlide, type wholeReportSchema } from './report-fields.ts';

/** A report with its slides. */
export async function presentWhole(
  { reports }: Services,
  scope: ReportScope,
): Promise<z.input<typeof wholeReportSchema>> {
  const { report, slides } = await reports.get(scope);
  return { ...presentReport(report), my_role: scope.role, slides: slides.map(presentSlide) };
}
