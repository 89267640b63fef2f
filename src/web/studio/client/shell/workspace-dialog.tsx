import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, SelectField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { topBarTexts } from '../../../shared/areas.ts';
import { texts } from '../../texts.ts';
import { changeApi } from '../data/api.ts';

const t = texts.shell.workspace;

/** Creates a workspace, whose owner is the user. */
export function WorkspaceDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (workspaceId: number) => Promise<void>;
}) {
  return (
    <Dialog title={topBarTexts.newWorkspace} onClose={onClose}>
      <Form
        submit={t.create}
        otherButtons={<CancelButton onClose={onClose} />}
        onSubmit={async (values) => {
          const { workspace_id: id, workspace_name: name } = await changeApi('post', '/api/workspaces', {
            body: {
              workspace_name: values.get('workspace_name')?.trim() ?? '',
              workspace_color: values.get('workspace_color') ?? null,
              workspace_visibility: Number(values.get('workspace_visibility')) as 1 | 2 | 3,
            },
          });
          await onCreated(id);
          onClose();
          announce(t.created(name));
        }}
      >
        <Field name="workspace_name" label={t.name} hint={t.nameHint} />
        <SelectField name="workspace_visibility" label={t.visibility} value="1" options={t.visibilities} />
        <Field name="workspace_color" label={t.color} type="color" value="#6366f1" />
      </Form>
    </Dialog>
  );
}
