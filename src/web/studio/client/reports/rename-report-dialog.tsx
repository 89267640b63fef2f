import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';

const t = texts.reports;

export function RenameReportDialog({
  report: { report_id: reportId, report_name: name },
  onClose,
}: {
  report: Pick<Schema<'Report'>, 'report_id' | 'report_name'>;
  onClose: () => void;
}) {
  return (
    <Dialog title={t.renameTitle} onClose={onClose}>
      <Form
        submit={t.save}
        onSubmit={async (values) => {
          const saved = await changeApi('put', '/api/reports/{reportId}', {
            path: { reportId },
            body: { report_name: values.get('report_name') ?? '' },
          });
          await reloadQueries('/api/reports');
          onClose();
          announce(t.renamed(saved.report_name));
        }}
        otherButtons={<CancelButton onClose={onClose} />}
      >
        <Field name="report_name" label={t.name} hint={t.renameHint} value={name} />
      </Form>
    </Dialog>
  );
}
