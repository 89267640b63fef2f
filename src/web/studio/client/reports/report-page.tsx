import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { useAction } from '../../../shared/client/form.tsx';
import { followLink } from '../../../shared/client/navigation.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { RenameReportDialog } from './rename-report-dialog.tsx';
import { ReportFiles } from './report-files.tsx';
import { Slide } from './slide.tsx';
import './report-page.css';

const t = texts.reports;
const NOT_FOUND = 404;

/** The slides of a report, to read. */
export function ReportPage({ reportId }: { reportId: number }) {
  const path = { reportId };
  const report = useQuery('/api/reports/{reportId}', { path });
  const preview = useQuery('/api/reports/{reportId}/preview', { path });
  const { runAction, errorNotice } = useAction();
  const [isRenaming, setRenaming] = useState(false);
  if (report.error?.status === NOT_FOUND) {
    return (
      <Section title={t.notFound}>
        <p>{t.notFoundAbout}</p>
      </Section>
    );
  }
  return (
    <QueryView query={report}>
      {(found) => (
        <div class="report-page">
          <p class="breadcrumb">
            <a href="/reports" onClick={followLink}>
              {t.title}
            </a>
          </p>
          <Section
            title={found.report_name}
            about={
              <>
                {t.slides(found.slide_count)} · {t.edited} <DateTime at={found.updated_at} />
              </>
            }
            action={
              <div class="buttons">
                {found.my_role !== 'viewer' && (
                  <button type="button" class="button small" onClick={() => setRenaming(true)}>
                    {t.rename}
                  </button>
                )}
                <ReportFiles report={found} runAction={runAction} />
              </div>
            }
          >
            {errorNotice}
            {found.slide_count === 0 ? (
              <div class="blank">
                <p class="title">{t.noSlides}</p>
                <p>{t.noSlidesAbout}</p>
              </div>
            ) : (
              <QueryView query={preview}>
                {({ slides, shown_slides: shown }) => (
                  <>
                    <ol class="slides" aria-label={t.slideList}>
                      {slides.map((slide, index) => (
                        <Slide key={index} slide={slide} number={index + 1} />
                      ))}
                    </ol>
                    {shown < found.slide_count && <p class="soft">{t.firstSlides(shown)}</p>}
                  </>
                )}
              </QueryView>
            )}
          </Section>
          {isRenaming && <RenameReportDialog report={found} onClose={() => setRenaming(false)} />}
        </div>
      )}
    </QueryView>
  );
}
