import { useState } from 'preact/hooks';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { RadioField, SelectField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { texts } from '../../texts.ts';
import { loopTexts } from '../../texts/loops.ts';
import { createFile } from '../data/file-jobs.ts';
import { useQuery } from '../data/queries.ts';
import { type ResultsView, selectionFilter, selectionParameters, STATUS_FILTERS } from './results-view.ts';

const t = texts.exports;

type Format = keyof typeof t.formats;

const FORMATS = ['csv', 'xlsx', 'spss'] as const;
/** Formats whose cells and headings can be codes or texts. An SPSS file has both. */
const hasTextChoice = (format: Format): boolean => format !== 'spss';

/** A button that opens the choice of a data file with the responses of a view. */
export function ExportButton(props: { surveyId: number; view: ResultsView }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        {t.open}
      </button>
      {isOpen && <ExportDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function ExportDialog({
  surveyId,
  view,
  onClose,
}: {
  surveyId: number;
  view: ResultsView;
  onClose: () => void;
}) {
  const [format, setFormat] = useState<Format>('csv');
  const counted = useCountedResponses(surveyId, view);
  const listed = useListedResponses(surveyId, view);
  const loops = useLoops(surveyId);
  /** Whether the list has responses that figures do not count. */
  const hasOthers = view.scope === 'all' && listed !== null && counted !== null && listed > counted;
  const create = async (values: ReadonlyMap<string, string>) => {
    const { status } = view;
    const filter = selectionFilter(view);
    const isCounted = values.get('responses') !== 'listed' && (hasOthers || view.scope === 'counted');
    // The dialog closes at once, and a notice says when the file is there.
    const file = createFile(`/api/responses/${surveyId}/export`, {
      format,
      status: STATUS_FILTERS.filter((each) => each !== 'all' && (status === 'all' || each === status)),
      ...(filter === null ? {} : { filter }),
      ...(isCounted
        ? {}
        : { include_test: true, ...(view.scope === 'with_tests' ? {} : { quality: 'include_all' }) }),
      ...(loops.some(([code]) => code === values.get('rows')) ? { stack: values.get('rows') } : {}),
      ...(hasTextChoice(format)
        ? {
            values: values.get('values'),
            headers: values.get('headers'),
            multiple: values.get('multiple'),
          }
        : {}),
    });
    await file;
    onClose();
  };
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form submit={t.create} onSubmit={create} otherButtons={<CancelButton onClose={onClose} />}>
        <SelectField
          name="format"
          label={t.format}
          value={format}
          options={FORMATS.map((each) => [each, t.formats[each]])}
          onChange={(value) => setFormat(FORMATS.find((each) => each === value) ?? format)}
        />
        {hasOthers ? (
          <RadioField
            name="responses"
            label={t.responses}
            hint={t.countedHint}
            value="counted"
            options={[
              ['counted', t.counted(counted)],
              ['listed', t.listed(listed)],
            ]}
          />
        ) : (
          listed !== null && <p>{t.all(view.scope === 'counted' ? (counted ?? listed) : listed)}</p>
        )}
        {loops.length > 0 && (
          <RadioField
            name="rows"
            label={loopTexts.rows}
            value="responses"
            options={[
              ['responses', loopTexts.rowOfResponse],
              ...loops.map(([code, name]): [string, string] => [code, loopTexts.rowOfItem(name)]),
            ]}
          />
        )}
        {hasTextChoice(format) && (
          <>
            <RadioField
              name="values"
              label={t.values}
              value="label"
              options={Object.entries(t.valueChoices)}
            />
            <RadioField
              name="headers"
              label={t.headers}
              value="code"
              options={Object.entries(t.headerChoices)}
            />
            <RadioField
              name="multiple"
              label={t.multiple}
              value="columns"
              options={Object.entries(t.multipleChoices)}
            />
          </>
        )}
        {!hasTextChoice(format) && <p class="soft">{t.spssAbout}</p>}
      </Form>
    </Dialog>
  );
}

/** The codes and names of the loops of a survey. */
function useLoops(surveyId: number): [string, string][] {
  const { data } = useQuery('/api/surveys/{surveyId}/blocks', { path: { surveyId } });
  return (data ?? []).flatMap(({ block_loop: loop, block_code: code, block_title: title }) =>
    loop === null ? [] : [[code, title ?? code]],
  );
}

type Status = ResultsView['status'];

const countOf = (
  stats: Readonly<Record<Exclude<Status, 'all'> | 'total', number>> | undefined,
  status: Status,
): number | null => (stats === undefined ? null : stats[status === 'all' ? 'total' : status]);

/** How many of the responses of a view figures count; null: not loaded. */
function useCountedResponses(surveyId: number, view: ResultsView): number | null {
  const areTestsCounted = useTestsCounted(surveyId);
  const { filter } = selectionParameters(view);
  const { data } = useQuery('/api/responses/{surveyId}/stats', {
    path: { surveyId },
    query: {
      filter,
      quality: 'exclude_confirmed',
      include_test: areTestsCounted || view.scope === 'with_tests',
    },
  });
  return countOf(data, view.status);
}

/** How many responses a list of the view has; null: not loaded. */
function useListedResponses(surveyId: number, view: ResultsView): number | null {
  const { filter } = selectionParameters(view);
  const { data } = useQuery('/api/responses/{surveyId}/stats', {
    path: { surveyId },
    query: { filter, include_test: true },
  });
  const counted = useCountedResponses(surveyId, view);
  return view.scope === 'with_tests' ? counted : countOf(data, view.status);
}

/** Whether figures count test responses: they do until there is another one. */
export function useTestsCounted(surveyId: number): boolean {
  const { data } = useQuery('/api/responses/{surveyId}/stats', { path: { surveyId } });
  return data?.total === 0;
}
