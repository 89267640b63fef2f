import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { ConfirmDialog, useAction } from '../../../shared/client/form.tsx';
import { announce, CopyButton } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';

type Link = Schema<'Link'>;

const t = texts.signatures;

/** The signing key of a panel link, and the entries and exits that do not match. Loaded when the panel is opened. */
export function LinkSignatures({ link }: { link: Link }) {
  const [isOpen, setIsOpen] = useState(false);
  const [newKey, setNewKey] = useState<string | null>(null);
  const [dialog, setDialog] = useState<'rotate' | 'revoke' | null>(null);
  const { runAction, errorNotice } = useAction();
  const { link_name: name, signing_key_created_at: createdAt, requires_signature: isRequired } = link;
  const path = { surveyId: link.survey_id, linkId: link.link_id };
  const createKey = async () => {
    const created = await changeApi('post', '/api/surveys/{surveyId}/links/{linkId}/signing-key', { path });
    setNewKey(created.signing_key);
    await reloadQueries('/api/surveys');
    announce(t.created(name));
  };
  const revokeKey = async () => {
    await changeApi('delete', '/api/surveys/{surveyId}/links/{linkId}/signing-key', { path });
    setNewKey(null);
    await reloadQueries('/api/surveys');
    announce(t.revoked(name));
  };
  const toggleRequired = async () => {
    await changeApi('put', '/api/surveys/{surveyId}/links/{linkId}', {
      path,
      body: { requires_signature: !isRequired },
    });
    await reloadQueries('/api/surveys');
    announce(isRequired ? t.optionalNow(name) : t.requiredNow(name));
  };
  return (
    <details class="link-share" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {t.title}
        <span class="visually-hidden"> {name}</span>
      </summary>
      {isOpen && (
        <div class="link-embed">
          <p class="soft">{t.about}</p>
          <p>
            {createdAt === null ? (
              isRequired ? (
                t.refusesAll
              ) : (
                t.noKey
              )
            ) : (
              <>
                {t.keyCreated} <DateTime at={createdAt} />. {isRequired ? t.required : t.optional}
              </>
            )}
          </p>
          {errorNotice}
          {newKey !== null && <NewKey signingKey={newKey} address={link.link_url ?? ''} />}
          <div class="buttons">
            <button
              type="button"
              class="button small"
              onClick={() => (createdAt === null ? void runAction(createKey) : setDialog('rotate'))}
            >
              {createdAt === null ? t.create : t.rotate}
            </button>
            {createdAt !== null && (
              <button type="button" class="button small" onClick={() => setDialog('revoke')}>
                {t.revoke}
              </button>
            )}
            {(createdAt !== null || isRequired) && (
              <button type="button" class="button small" onClick={() => void runAction(toggleRequired)}>
                {isRequired ? t.makeOptional : t.require}
              </button>
            )}
          </div>
          <Mismatches link={link} />
        </div>
      )}
      {dialog === 'rotate' && (
        <ConfirmDialog
          title={t.rotateTitle}
          action={t.rotate}
          onClose={() => setDialog(null)}
          onConfirm={createKey}
        >
          {t.rotateAbout}
        </ConfirmDialog>
      )}
      {dialog === 'revoke' && (
        <ConfirmDialog
          title={t.revokeTitle}
          action={t.revoke}
          onClose={() => setDialog(null)}
          onConfirm={revokeKey}
        >
          {t.revokeAbout}
        </ConfirmDialog>
      )}
    </details>
  );
}

/** Shows the key, which no later reply contains, and code for the panel. */
function NewKey({ signingKey, address }: { signingKey: string; address: string }) {
  const example = t.example(address);
  return (
    <>
      <p class="title">{t.copyNow}</p>
      <div class="link-address">
        <code>{signingKey}</code>
        <CopyButton text={signingKey} name={t.key} />
      </div>
      <p class="title">{t.exampleTitle}</p>
      <pre tabIndex={0}>{example}</pre>
      <CopyButton text={example} name={t.exampleTitle} />
    </>
  );
}

function Mismatches({ link }: { link: Link }) {
  const { entry_mismatch_count: entries, exit_mismatch_count: exits } = link;
  const isAny = entries + exits > 0;
  const query = useQuery(
    '/api/surveys/{surveyId}/links/{linkId}/mismatches',
    isAny ? { path: { surveyId: link.survey_id, linkId: link.link_id } } : null,
  );
  if (!isAny) return <p class="soft">{t.noMismatches}</p>;
  return (
    <>
      <p class="title">{t.mismatches(entries, exits)}</p>
      <QueryView query={query}>
        {({ counts, latest }) => (
          <>
            <ul>
              {counts.map(({ direction, reason, count }) => (
                <li key={`${direction} ${reason}`}>
                  {t.reasons[reason]}: {count}
                </li>
              ))}
            </ul>
            <details>
              <summary>{t.latest}</summary>
              <ul>
                {latest.map((row, index) => (
                  <li key={index}>
                    <DateTime at={row.occurred_at} /> · <code>{row.external_id ?? t.noId}</code> ·{' '}
                    {t.reasons[row.reason]}
                  </li>
                ))}
              </ul>
            </details>
          </>
        )}
      </QueryView>
    </>
  );
}
