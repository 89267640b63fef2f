import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field } from '../../../shared/client/fields.tsx';
import { CancelButton, ConfirmDialog, Form, useAction } from '../../../shared/client/form.tsx';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu } from '../../../shared/client/menu.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, readApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import { firstDayOf, lastDayOf, parseCount } from './field-values.ts';
import { QuotaDialog, type WaveQuotas, writeQuotas } from './quota-dialog.tsx';

type Wave = Schema<'Wave'>;
type Survey = SurveyTabProps['survey'];
type Quota = WaveQuotas['quotas'][number];

const t = texts.collect;
const STATUS_CLASSES = { scheduled: 'chip wait', active: 'chip good', ended: 'chip' };

/** The waves of the survey, each with its quotas and their progress. */
export function Waves({ survey, canEdit }: SurveyTabProps) {
  const { survey_id: surveyId } = survey;
  const [isCreating, setCreating] = useState(false);
  const { data: waves = [] } = useQuery('/api/surveys/waves', {
    query: { survey_id: surveyId, limit: 100 },
  });
  const [firstQuotas, setFirstQuotas] = useState<WaveQuotas | null>(null);
  const { runAction, errorNotice } = useAction();
  const setQuotas = async () => setFirstQuotas(await startFieldwork(surveyId));
  if (waves.length === 0 && !canEdit) return null;
  return (
    <section class="card collect-waves" aria-labelledby="waves-title">
      <div class="collect-head">
        <div>
          <h2 id="waves-title">{t.waves}</h2>
          <p class="soft">{t.wavesAbout}</p>
        </div>
        {canEdit && (
          <button type="button" class="button small" onClick={() => setCreating(true)}>
            {t.newWave}
          </button>
        )}
      </div>
      {waves.map((wave) => (
        <WavePart key={wave.wave_id} wave={wave} survey={survey} canEdit={canEdit} />
      ))}
      {errorNotice}
      {canEdit && waves.length === 0 && (
        <p class="soft">
          {t.quotasWithoutWave}{' '}
          <button type="button" class="button small" onClick={() => void runAction(setQuotas)}>
            {t.setQuotas}
          </button>
        </p>
      )}
      {firstQuotas !== null && (
        <QuotaDialog
          survey={survey}
          waveQuotas={firstQuotas}
          quota={null}
          onClose={() => setFirstQuotas(null)}
        />
      )}
      {isCreating && <WaveDialog survey={survey} wave={null} onClose={() => setCreating(false)} />}
    </section>
  );
}

/** Creates a wave without dates for all links, because quotas belong to a wave. Returns its quotas: none yet. */
async function startFieldwork(surveyId: number): Promise<WaveQuotas> {
  const { wave_id: id } = await changeApi('post', '/api/surveys/waves', {
    body: { survey_id: surveyId, wave_name: t.firstWave },
  });
  const { data: links } = await readApi('/api/surveys/{surveyId}/links', { path: { surveyId } });
  for (const { link_id: linkId, wave_id: wave } of links)
    if (wave === null)
      await changeApi('put', '/api/surveys/{surveyId}/links/{linkId}', {
        path: { surveyId, linkId },
        body: { wave_id: id },
      });
  await reloadQueries('/api/surveys');
  return (await readApi('/api/surveys/waves/{id}/quotas', { path: { id } })).data;
}

function WavePart({ wave, survey, canEdit }: { wave: Wave; survey: Survey; canEdit: boolean }) {
  const { wave_id: id, wave_name: name } = wave;
  const [dialog, setDialog] = useState<'change' | 'delete' | 'quota' | null>(null);
  const query = useQuery('/api/surveys/waves/{id}/quotas', { path: { id } });
  const close = () => setDialog(null);
  return (
    <section class="wave" aria-labelledby={`wave-${id}`}>
      <div class="link-head">
        <h3 id={`wave-${id}`}>{name}</h3>
        <span class={STATUS_CLASSES[wave.wave_status]}>{t.waveStatus[wave.wave_status]}</span>
        {canEdit && (
          <Menu
            label={t.waveActions(name)}
            button={<Icon name="more" />}
            items={[
              { label: t.change, run: () => setDialog('change') },
              { label: t.addQuota, run: () => setDialog('quota') },
              { label: t.deleteWave, danger: true, run: () => setDialog('delete') },
            ]}
          />
        )}
      </div>
      <div class="wave-facts">
        <p class="soft">
          {wave.wave_start_date !== null && (
            <>
              {t.starts} <DateTime at={wave.wave_start_date} />
            </>
          )}
          {wave.wave_start_date !== null && wave.wave_end_date !== null && ' · '}
          {wave.wave_end_date !== null && (
            <>
              {t.ends} <DateTime at={wave.wave_end_date} isEnd />
            </>
          )}
        </p>
        <Progress completed={wave.completed} target={wave.target} label={name} />
      </div>
      <QueryView query={query}>
        {(quotas) => (
          <Quotas
            wave={wave}
            quotas={quotas}
            survey={survey}
            canEdit={canEdit}
            onAdd={() => setDialog('quota')}
          />
        )}
      </QueryView>
      {dialog === 'change' && <WaveDialog survey={survey} wave={wave} onClose={close} />}
      {dialog === 'quota' && query.data !== undefined && (
        <QuotaDialog survey={survey} waveQuotas={query.data} quota={null} onClose={close} />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t.deleteWaveTitle(name)}
          action={t.deleteWave}
          onClose={close}
          onConfirm={async () => {
            await changeApi('delete', '/api/surveys/waves/{id}', { path: { id } });
            await reloadQueries('/api/surveys');
            announce(t.deletedWave(name));
          }}
        >
          {t.deleteWaveAbout}
        </ConfirmDialog>
      )}
    </section>
  );
}

function Quotas({
  wave,
  quotas: waveQuotas,
  survey,
  canEdit,
  onAdd,
}: {
  wave: Wave;
  quotas: WaveQuotas;
  survey: Survey;
  canEdit: boolean;
  onAdd: () => void;
}) {
  const [dialog, setDialog] = useState<{ kind: 'change' | 'delete'; quota: Quota } | null>(null);
  const close = () => setDialog(null);
  const { quotas } = waveQuotas;
  if (quotas.length === 0)
    return canEdit ? (
      <p class="soft">
        {t.noQuotas}{' '}
        <button type="button" class="button small" onClick={onAdd}>
          {t.addQuota}
          <span class="visually-hidden"> {wave.wave_name}</span>
        </button>
      </p>
    ) : null;
  const label = t.quotas(wave.wave_name);
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={label}>
        <table class="table collect-table" aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t.cell}</th>
              <th scope="col" class="rule">
                {t.rule}
              </th>
              <th scope="col">{t.progress}</th>
            </tr>
          </thead>
          {quotas.map((quota) => (
            <tbody key={quota.quota_id}>
              <tr class="quota-head">
                <th scope="rowgroup" colSpan={3}>
                  <div class="quota-title">
                    {quota.quota_name} <span class="chip">{t.modeChips[quota.mode]}</span>
                    {canEdit && (
                      <Menu
                        label={t.quotaActions(quota.quota_name)}
                        button={<Icon name="more" />}
                        items={[
                          { label: t.changeQuota, run: () => setDialog({ kind: 'change', quota }) },
                          {
                            label: t.deleteQuota,
                            danger: true,
                            run: () => setDialog({ kind: 'delete', quota }),
                          },
                        ]}
                      />
                    )}
                  </div>
                </th>
              </tr>
              {quota.cells.map((cell) => (
                <tr key={cell.cell_id}>
                  <th scope="row">{cell.cell_label}</th>
                  <td class="soft rule">{cell.rule}</td>
                  <td>
                    <Progress completed={cell.completed} target={cell.target} label={cell.cell_label} />
                    {cell.pending > 0 && <span class="soft small">{t.inProgress(cell.pending)}</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      {dialog?.kind === 'change' && (
        <QuotaDialog survey={survey} waveQuotas={waveQuotas} quota={dialog.quota} onClose={close} />
      )}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={t.deleteQuotaTitle(dialog.quota.quota_name)}
          action={t.deleteQuota}
          onClose={close}
          onConfirm={async () => {
            await writeQuotas(
              wave.wave_id,
              quotas.filter(({ quota_id: id }) => id !== dialog.quota.quota_id),
            );
            announce(t.deletedQuota(dialog.quota.quota_name));
          }}
        >
          {t.deleteQuotaAbout}
        </ConfirmDialog>
      )}
    </>
  );
}

function Progress({ completed, target, label }: { completed: number; target: number | null; label: string }) {
  return (
    <div class="collect-progress">
      <span>{t.ofTarget(completed, target)}</span>
      {target !== null && target > 0 && (
        <progress class="collect-bar" value={Math.min(completed, target)} max={target} aria-label={label} />
      )}
    </div>
  );
}

/** Creates a wave, or changes one. */
function WaveDialog({
  survey,
  wave,
  onClose,
}: {
  survey: Survey;
  /** null: a new wave. */
  wave: Wave | null;
  onClose: () => void;
}) {
  const { timezone } = survey.survey_settings;
  const start = wave?.wave_start_date == null ? '' : firstDayOf(wave.wave_start_date, timezone);
  const end = wave?.wave_end_date == null ? '' : lastDayOf(wave.wave_end_date, timezone);
  const save = async (values: ReadonlyMap<string, string>) => {
    const dayIn = (field: string, before: string) => {
      const day = values.get(field) ?? '';
      return day === before ? {} : { [field]: day === '' ? null : day };
    };
    const body = {
      wave_name: values.get('wave_name')?.trim() ?? '',
      target: parseCount(values, 'target'),
      ...dayIn('wave_start_date', start),
      ...dayIn('wave_end_date', end),
    };
    const saved =
      wave === null
        ? await changeApi('post', '/api/surveys/waves', { body: { ...body, survey_id: survey.survey_id } })
        : await changeApi('put', '/api/surveys/waves/{id}', { path: { id: wave.wave_id }, body });
    await reloadQueries('/api/surveys');
    onClose();
    announce(wave === null ? t.createdWave(saved.wave_name) : t.savedWave(saved.wave_name));
  };
  return (
    <Dialog title={wave === null ? t.newWave : t.editWave} onClose={onClose}>
      <Form
        submit={wave === null ? t.newWave : t.save}
        onSubmit={save}
        otherButtons={<CancelButton onClose={onClose} />}
      >
        <Field name="wave_name" label={t.waveName} hint={t.waveNameHint} value={wave?.wave_name ?? ''} />
        <Field name="wave_start_date" type="date" label={t.firstDay} hint={t.firstDayHint} value={start} />
        <Field name="wave_end_date" type="date" label={t.lastDay} hint={t.lastDayHint} value={end} />
        <Field
          name="target"
          label={t.target}
          hint={t.targetHint}
          inputMode="numeric"
          value={wave?.target?.toString() ?? ''}
        />
      </Form>
    </Dialog>
  );
}
