import { PNG } from '../sample-files.ts';
import type { CreateTarget, Row, Rows } from './row.ts';
import { createFilledReport } from './fixtures.ts';

const plain: Row = {};

const freshReport: CreateTarget = async ({ callers: { owner } }, { workspaceId }) =>
  createFilledReport(owner.key, workspaceId);
const onFreshReport: Row = { fresh: freshReport, isIndependent: true };

function picture(): FormData {
  const sent = new FormData();
  sent.append('image', new Blob([new Uint8Array(PNG)]), 'a.png');
  return sent;
}

export const reportRows: Rows = {
  listReports: plain,
  createReport: { body: () => ({ report_name: 'New' }) },
  createReportFromDashboard: { body: ({ dashboardId }) => ({ dashboard_id: dashboardId }) },
  getReport: plain,
  previewReport: plain,
  updateReport: { body: () => ({ report_name: 'Named' }) },
  deleteReport: onFreshReport,
  restoreReport: {
    fresh: async (fixtures, ids, caller) => {
      const created = await freshReport(fixtures, ids, caller);
      await fixtures.callers.owner.key.delete(`/api/reports/${created.reportId!}`).expect(204);
      return created;
    },
  },
  duplicateReport: { body: () => ({}) },
  createReportSlide: { body: () => ({ slide_type: 'section', slide_title: 'Added' }) },
  reorderReportSlides: { ...onFreshReport, body: ({ slideId }) => ({ slide_ids: [slideId] }) },
  updateReportSlide: { body: () => ({ slide_title: 'Named' }) },
  deleteReportSlide: onFreshReport,
  duplicateReportSlide: { body: () => ({}) },
  listReportImages: plain,
  addReportImage: { ...onFreshReport, body: picture },
  getReportImage: plain,
  deleteReportImage: onFreshReport,
  exportReportPdf: plain,
  exportReportPptx: plain,
};
