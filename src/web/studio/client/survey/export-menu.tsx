import { useAction } from '../../../shared/client/form.tsx';
import { Menu } from '../../../shared/client/menu.tsx';
import { texts } from '../../texts.ts';
import { createFile } from '../data/file-jobs.ts';
import { type ResultsView, selectionFilter, STATUS_FILTERS } from './results-view.ts';

const t = texts.responses;

/** Downloads the responses of a view as a data file. */
export function ExportMenu({ surveyId, view }: { surveyId: number; view: ResultsView }) {
  const { runAction, errorNotice } = useAction();
  const start = (format: keyof typeof t.formats) => () => {
    const { status } = view;
    const filter = selectionFilter(view);
    return createFile(`/api/responses/${surveyId}/export`, {
      format,
      status: STATUS_FILTERS.filter((each) => each !== 'all' && (status === 'all' || each === status)),
      ...(filter === null ? {} : { filter }),
    });
  };
  return (
    <>
      {errorNotice}
      <Menu
        label={t.export}
        button={t.export}
        buttonClass="button"
        head={t.exportHead}
        items={(['csv', 'xlsx', 'spss'] as const).map((format) => ({
          label: t.formats[format],
          run: () => void runAction(start(format)),
        }))}
      />
    </>
  );
}
