import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, SelectField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';

const t = texts.dashboards.arrange;

/** An empty title removes it. */
export const titleOf = (value: string | undefined): string | null => {
  const title = value?.trim() ?? '';
  return title === '' ? null : title;
};

/** Names a page. `page` null: adds one. */
export function PageTitleDialog({
  dashboardId: id,
  page,
  onClose,
}: {
  dashboardId: number;
  page: Pick<Schema<'DashboardPage'>, 'page_id' | 'page_title'> | null;
  onClose: () => void;
}) {
  const save = async (title: string | null) => {
    const body = { page_title: title };
    if (page === null) await changeApi('post', '/api/dashboards/{id}/pages', { path: { id }, body });
    else
      await changeApi('put', '/api/dashboards/{id}/pages/{pageId}', {
        path: { id, pageId: page.page_id },
        body,
      });
    await reloadQueries('/api/dashboards');
    onClose();
    announce(page === null ? t.pageAdded(title ?? t.page) : t.saved);
  };
  return (
    <Dialog title={page === null ? t.addPage : t.renamePage} onClose={onClose}>
      <Form
        submit={page === null ? t.addPage : t.save}
        onSubmit={(values) => save(titleOf(values.get('page_title')))}
        otherButtons={<CancelButton onClose={onClose} />}
      >
        <Field name="page_title" label={t.pageTitle} value={page?.page_title ?? ''} />
      </Form>
    </Dialog>
  );
}

export function MoveChartDialog({
  pages,
  current,
  onMove,
  onClose,
}: {
  pages: readonly { pageId: number; name: string }[];
  current: number;
  onMove: (pageId: number) => void;
  onClose: () => void;
}) {
  const others = pages.filter(({ pageId }) => pageId !== current);
  return (
    <Dialog title={t.movePage} onClose={onClose}>
      <Form
        submit={t.move}
        onSubmit={(values) => {
          onClose();
          onMove(Number(values.get('page_id')));
          return Promise.resolve();
        }}
        otherButtons={<CancelButton onClose={onClose} />}
      >
        <SelectField
          name="page_id"
          label={t.page}
          value={String(others[0]?.pageId ?? '')}
          options={others.map(({ pageId, name }) => [String(pageId), name])}
        />
      </Form>
    </Dialog>
  );
}
