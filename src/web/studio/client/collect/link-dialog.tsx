import { ApiError } from '../../../shared/client/api.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, SelectField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';

type Link = Schema<'Link'>;

const t = texts.collect;

/** JSON has no NaN: a text that is no number would remove the limit, so it is refused here. */
function parseLimit(text: string): number | null {
  if (text === '') return null;
  if (/^\d+$/.test(text)) return Number(text);
  throw new ApiError('rejected', { problems: [{ field: 'link_quota', message: t.notWhole }] });
}

/** Creates a link, or changes the name and the limit of one. */
export function LinkDialog({
  surveyId,
  link,
  onClose,
}: {
  surveyId: number;
  /** null: a new link. */
  link: Link | null;
  onClose: () => void;
}) {
  const save = async (values: ReadonlyMap<string, string>) => {
    const name = values.get('link_name')?.trim() ?? '';
    const body = { link_name: name, link_quota: parseLimit(values.get('link_quota')?.trim() ?? '') };
    const saved =
      link === null
        ? await changeApi('post', '/api/surveys/{surveyId}/links', {
            path: { surveyId },
            body: {
              link_quota: body.link_quota,
              link_type: values.get('link_type') === 'unique' ? 'unique' : 'open',
              ...(name === '' ? {} : { link_name: name }),
            },
          })
        : await changeApi('put', '/api/surveys/{surveyId}/links/{linkId}', {
            path: { surveyId, linkId: link.link_id },
            body,
          });
    await reloadQueries('/api/surveys');
    onClose();
    announce(link === null ? t.createdLink(saved.link_name) : t.savedLink(saved.link_name));
  };
  return (
    <Dialog title={link === null ? t.newLink : t.editLink} onClose={onClose}>
      <Form
        submit={link === null ? t.newLink : t.save}
        onSubmit={save}
        otherButtons={<CancelButton onClose={onClose} />}
      >
        <Field name="link_name" label={t.name} hint={t.nameHint} value={link?.link_name ?? ''} />
        {link === null && (
          <SelectField name="link_type" label={t.type} value="open" options={Object.entries(t.typeChoices)} />
        )}
        <Field
          name="link_quota"
          label={t.limit}
          hint={t.limitHint}
          inputMode="numeric"
          value={link?.link_quota?.toString() ?? ''}
        />
      </Form>
    </Dialog>
  );
}
