import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { createFile } from '../data/file-jobs.ts';

export type RunAction = (action: () => Promise<unknown>) => Promise<void>;

const t = texts.reports;
const FORMATS = ['pptx', 'pdf'] as const;

/** Buttons that create and download the files of a report. */
export function ReportFiles({
  report: { report_id: id, report_name: name, slide_count: slideCount },
  runAction,
}: {
  report: Pick<Schema<'Report'>, 'report_id' | 'report_name' | 'slide_count'>;
  runAction: RunAction;
}) {
  return (
    <div class="buttons">
      {FORMATS.map((format) => (
        <button
          key={format}
          type="button"
          class="button small"
          disabled={slideCount === 0}
          aria-label={t.downloadLabel(name, t.formats[format])}
          onClick={() => void runAction(() => createFile(`/api/reports/${id}/export/${format}`, {}))}
        >
          {t.formats[format]}
        </button>
      ))}
    </div>
  );
}
