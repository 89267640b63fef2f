import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, TextAreaField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { navigate } from '../../../shared/client/navigation.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import { useSession } from '../shell/session-context.tsx';

const t = texts.dashboards;

/** Creates an empty dashboard and opens the page on which it is arranged. */
export function NewDashboardDialog({ onClose }: { onClose: () => void }) {
  const { workspace } = useSession();
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form
        submit={t.createSubmit}
        onSubmit={async (values) => {
          const created = await changeApi('post', '/api/dashboards', {
            body: {
              dashboard_name: values.get('dashboard_name') ?? '',
              ...(workspace === null ? {} : { workspace_id: workspace.workspace_id }),
            },
          });
          await reloadQueries('/api/dashboards');
          onClose();
          announce(t.created(created.dashboard_name));
          navigate(`/dashboards/${created.dashboard_id}/edit`);
        }}
        otherButtons={<CancelButton onClose={onClose} />}
      >
        <Field name="dashboard_name" label={t.name} />
      </Form>
    </Dialog>
  );
}

export function RenameDashboardDialog({
  dashboard,
  onClose,
}: {
  dashboard: Pick<Schema<'Dashboard'>, 'dashboard_id' | 'dashboard_name' | 'dashboard_description'>;
  onClose: () => void;
}) {
  return (
    <Dialog title={t.renameTitle} onClose={onClose}>
      <Form
        submit={t.save}
        onSubmit={async (values) => {
          const description = values.get('dashboard_description')?.trim() ?? '';
          const saved = await changeApi('put', '/api/dashboards/{id}', {
            path: { id: dashboard.dashboard_id },
            body: {
              dashboard_name: values.get('dashboard_name') ?? '',
              dashboard_description: description === '' ? null : description,
            },
          });
          await reloadQueries('/api/dashboards');
          onClose();
          announce(t.renamed(saved.dashboard_name));
        }}
        otherButtons={<CancelButton onClose={onClose} />}
      >
        <Field name="dashboard_name" label={t.name} value={dashboard.dashboard_name} />
        <TextAreaField
          name="dashboard_description"
          label={t.description}
          hint={t.descriptionHint}
          value={dashboard.dashboard_description ?? ''}
        />
      </Form>
    </Dialog>
  );
}
