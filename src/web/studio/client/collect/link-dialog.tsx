import { useState } from 'preact/hooks';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, SelectField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { lastDayOf, parseCount, slugOrNull, textOrNull } from './field-values.ts';

type Link = Schema<'Link'>;
type LinkType = Link['link_type'];

const t = texts.collect;
const REDIRECTS = ['complete', 'screen_out', 'over_quota', 'quality', 'default'] as const;
const TYPES = Object.entries(t.typeChoices) as [LinkType, string][];

/** Creates a link, or changes one. */
export function LinkDialog({
  surveyId,
  timeZone,
  link,
  onClose,
}: {
  surveyId: number;
  timeZone: string;
  /** null: a new link. */
  link: Link | null;
  onClose: () => void;
}) {
  const [type, setType] = useState<LinkType>(link?.link_type ?? 'open');
  const { data: waves = [] } = useQuery('/api/surveys/waves', {
    query: { survey_id: surveyId, limit: 100 },
  });
  const lastDay = link?.expires_at == null ? '' : lastDayOf(link.expires_at, timeZone);
  const save = async (values: ReadonlyMap<string, string>) => {
    const name = values.get('link_name')?.trim() ?? '';
    const day = values.get('expires_at') ?? '';
    const wave = values.get('wave_id') ?? '';
    const body = {
      ...(name === '' && link === null ? {} : { link_name: name }),
      ...(type === 'unique'
        ? {}
        : { link_quota: parseCount(values, 'link_quota'), link_slug: slugOrNull(values, 'link_slug') }),
      ...(day === lastDay ? {} : { expires_at: day === '' ? null : day }),
      ...(waves.length > 0 ? { wave_id: wave === '' ? null : Number(wave) } : {}),
      redirects: Object.fromEntries(REDIRECTS.map((kind) => [kind, textOrNull(values, `redirects.${kind}`)])),
    };
    const saved =
      link === null
        ? await changeApi('post', '/api/surveys/{surveyId}/links', {
            path: { surveyId },
            body: { ...body, link_type: type },
          })
        : await changeApi('put', '/api/surveys/{surveyId}/links/{linkId}', {
            path: { surveyId, linkId: link.link_id },
            body,
          });
    await reloadQueries('/api/surveys');
    onClose();
    announce(link === null ? t.createdLink(saved.link_name) : t.savedLink(saved.link_name));
  };
  const hasRedirects = link !== null && Object.values(link.redirects).some((url) => url !== null);
  return (
    <Dialog title={link === null ? t.newLink : t.editLink} onClose={onClose}>
      <Form
        submit={link === null ? t.newLink : t.save}
        onSubmit={save}
        otherButtons={<CancelButton onClose={onClose} />}
      >
        <Field name="link_name" label={t.name} hint={t.nameHint} value={link?.link_name ?? ''} />
        {link === null && (
          <div onChange={(event) => setType((event.target as HTMLSelectElement).value as LinkType)}>
            <SelectField name="link_type" label={t.type} value={type} options={TYPES} />
          </div>
        )}
        {type !== 'unique' && (
          <>
            <Field
              name="link_slug"
              label={t.slug}
              hint={t.slugHint(location.origin)}
              value={link?.link_slug ?? ''}
            />
            <Field
              name="link_quota"
              label={t.limit}
              hint={t.limitHint}
              inputMode="numeric"
              value={link?.link_quota?.toString() ?? ''}
            />
          </>
        )}
        <Field name="expires_at" type="date" label={t.expiry} hint={t.expiryHint(timeZone)} value={lastDay} />
        {waves.length > 0 && (
          <SelectField
            name="wave_id"
            label={t.linkWave}
            value={link?.wave_id?.toString() ?? ''}
            options={[
              ['', t.anyWave],
              ...waves.map((wave): [string, string] => [String(wave.wave_id), wave.wave_name]),
            ]}
          />
        )}
        <details class="link-redirects" open={type === 'panel' || hasRedirects}>
          <summary>{t.redirects}</summary>
          <p class="hint">{t.redirectsHint}</p>
          {REDIRECTS.map((kind) => (
            <Field
              key={kind}
              name={`redirects.${kind}`}
              label={t.redirect[kind]}
              value={link?.redirects[kind] ?? ''}
            />
          ))}
        </details>
      </Form>
    </Dialog>
  );
}
