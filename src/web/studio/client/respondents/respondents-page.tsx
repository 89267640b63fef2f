import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, SearchField } from '../../../shared/client/fields.tsx';
import { CancelButton, ConfirmDialog, Form, useAction } from '../../../shared/client/form.tsx';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu } from '../../../shared/client/menu.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { PAGE_SIZE, ShowMore } from '../data/show-more.tsx';
import { canEditIn, useSession } from '../shell/session-context.tsx';

type Respondent = Schema<'Respondent'>;

const t = texts.respondents;
const RESPONDENTS = '/api/surveys/respondents';

const nameOf = ({ name, email, external_id: externalId, respondent_id: id }: Respondent): string =>
  name ?? email ?? externalId ?? String(id);

/** The people whom the workspace can invite. */
export function RespondentsPage() {
  const { workspace } = useSession();
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(PAGE_SIZE);
  const [isAdding, setAdding] = useState(false);
  const [deleted, setDeleted] = useState<Respondent | null>(null);
  const [erasesResponses, setErasesResponses] = useState(false);
  const { runAction, errorNotice } = useAction();
  const canEdit = canEditIn(workspace);
  const query = useQuery(
    RESPONDENTS,
    {
      query: {
        workspace_id: workspace?.workspace_id,
        sort: '-respondent_id',
        limit,
        ...(search === '' ? {} : { search }),
      },
    },
    { keepPrevious: true },
  );
  const setOptedOut = (respondent: Respondent, isOut: boolean) =>
    runAction(async () => {
      const path = { respondentId: respondent.respondent_id };
      if (isOut) await changeApi('post', '/api/surveys/respondents/{respondentId}/opt-out', { path });
      else await changeApi('post', '/api/surveys/respondents/{respondentId}/opt-in', { path });
      await reloadQueries(RESPONDENTS);
      announce((isOut ? t.optedOutNotice : t.optedInNotice)(nameOf(respondent)));
    });
  const isEmpty = query.data?.length === 0 && search === '';
  return (
    <Section
      title={t.title}
      about={query.total !== null && !isEmpty ? t.count(query.total) : undefined}
      action={
        canEdit && (
          <button type="button" class="button primary" onClick={() => setAdding(true)}>
            {t.add}
          </button>
        )
      }
    >
      {errorNotice}
      {!isEmpty && <SearchField label={t.search} onSearch={setSearch} />}
      <QueryView query={query}>
        {(respondents) =>
          respondents.length === 0 ? (
            <div class="blank" role="status">
              <p class="title">{isEmpty ? t.emptyTitle : t.noMatch}</p>
              <p>{!isEmpty ? t.noMatchAbout : canEdit ? t.emptyAbout : t.emptyViewer}</p>
            </div>
          ) : (
            <ul class="card rows" aria-label={t.title} aria-busy={query.isLoading}>
              {respondents.map((respondent) => (
                <li key={respondent.respondent_id} class="row">
                  <div class="what">
                    <p class="title">
                      {nameOf(respondent)}
                      {respondent.opted_out && <span class="chip wait">{t.optedOut}</span>}
                    </p>
                    <p class="soft">
                      {[respondent.email, respondent.external_id].filter((each) => each !== null).join(' · ')}
                      {respondent.last_invited_at !== null && (
                        <>
                          {' · '}
                          {t.invited} <DateTime at={respondent.last_invited_at} />
                        </>
                      )}
                    </p>
                  </div>
                  <p class="response-count">{t.completed(respondent.completed_count)}</p>
                  {canEdit && (
                    <Menu
                      label={t.actions(nameOf(respondent))}
                      button={<Icon name="more" />}
                      items={[
                        respondent.opted_out
                          ? { label: t.optIn, run: () => void setOptedOut(respondent, false) }
                          : { label: t.optOut, run: () => void setOptedOut(respondent, true) },
                        {
                          label: t.delete,
                          danger: true,
                          run: () => {
                            setErasesResponses(false);
                            setDeleted(respondent);
                          },
                        },
                      ]}
                    />
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      <ShowMore total={query.total} limit={limit} onChange={setLimit} />
      {isAdding && <NewRespondentDialog onClose={() => setAdding(false)} />}
      {deleted !== null && (
        <ConfirmDialog
          title={t.deleteTitle(nameOf(deleted))}
          action={t.delete}
          onClose={() => setDeleted(null)}
          onConfirm={async () => {
            await changeApi('delete', '/api/surveys/respondents/{respondentId}', {
              path: { respondentId: deleted.respondent_id },
              query: erasesResponses ? { erase_responses: true } : {},
            });
            await reloadQueries(RESPONDENTS);
            announce(t.deleted(nameOf(deleted)));
          }}
        >
          {t.deleteAbout}
          <label class="choice">
            <input
              type="checkbox"
              checked={erasesResponses}
              onChange={(event) => setErasesResponses(event.currentTarget.checked)}
            />
            <span>{t.eraseResponses}</span>
          </label>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function NewRespondentDialog({ onClose }: { onClose: () => void }) {
  const { workspace } = useSession();
  const add = async (values: ReadonlyMap<string, string>) => {
    const filled = ['email', 'name', 'external_id', 'language'].flatMap((name) => {
      const value = values.get(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value] as const];
    });
    await changeApi('post', RESPONDENTS, {
      query: { workspace_id: workspace?.workspace_id },
      body: Object.fromEntries(filled),
    });
    await reloadQueries(RESPONDENTS);
    onClose();
    announce(t.added);
  };
  return (
    <Dialog title={t.add} onClose={onClose}>
      <Form submit={t.add} onSubmit={add} otherButtons={<CancelButton onClose={onClose} />}>
        <Field name="email" label={t.email} type="email" />
        <Field name="name" label={t.name} />
        <Field name="external_id" label={t.externalId} hint={t.externalIdHint} />
        <Field name="language" label={t.language} hint={t.languageHint} />
      </Form>
    </Dialog>
  );
}
