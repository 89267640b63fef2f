import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field } from '../../../shared/client/fields.tsx';
import { CancelButton, Form, useAction } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import { ApiError } from '../../../shared/client/api.ts';
import { firstDayOf, lastDayOf, parseCount, timeOfDay } from './field-values.ts';

const t = texts.collect;
const ACTIVE = 2;
const CLOSED = 3;
const MIDNIGHT = '00:00';

/** Whether respondents can start, until when, and how many more; with what changes it. */
export function CollectionState({ survey, canEdit }: SurveyTabProps) {
  const { survey_id: id, survey_status: status, collection_status: collection } = survey;
  const { closes_at: closesAt, response_limit: limit, complete_count: complete } = survey;
  const { runAction, errorNotice } = useAction();
  const [isChanging, setChanging] = useState(false);
  const setStatus = (newStatus: 2 | 3, confirmation: string) => async () => {
    await changeApi('put', '/api/surveys/{id}', { path: { id }, body: { survey_status: newStatus } });
    await reloadQueries('/api/surveys');
    announce(confirmation);
  };
  const progress = t.complete(complete, limit);
  return (
    <section class="card collect-notice">
      <div>
        <h2>
          {status === CLOSED
            ? t.closedTitle
            : collection === 'full'
              ? t.fullTitle
              : collection === 'closed'
                ? t.pastTitle
                : t.openTitle}
        </h2>
        <p class="soft">
          {progress}
          {closesAt !== null && (
            <>
              {' · '}
              {t.closesAt} <DateTime at={closesAt} isEnd />
            </>
          )}
        </p>
        {status === CLOSED && <p class="soft">{t.closedAbout}</p>}
        {status === ACTIVE && collection === 'full' && <p class="soft">{t.fullAbout}</p>}
        {status === ACTIVE && collection === 'closed' && <p class="soft">{t.pastAbout}</p>}
        {limit !== null && (
          <progress class="collect-bar" value={Math.min(complete, limit)} max={limit} aria-label={progress} />
        )}
        {errorNotice}
      </div>
      {canEdit && (
        <div class="buttons">
          <button type="button" class="button small" onClick={() => setChanging(true)}>
            {t.limits}
          </button>
          {status === ACTIVE ? (
            <button
              type="button"
              class="button small"
              onClick={() => void runAction(setStatus(CLOSED, t.closed))}
            >
              {t.close}
            </button>
          ) : (
            <button
              type="button"
              class="button small"
              onClick={() => void runAction(setStatus(ACTIVE, t.reopened))}
            >
              {t.reopen}
            </button>
          )}
        </div>
      )}
      {isChanging && <LimitsDialog survey={survey} onClose={() => setChanging(false)} />}
    </section>
  );
}

function LimitsDialog({ survey, onClose }: { survey: SurveyTabProps['survey']; onClose: () => void }) {
  const { survey_id: id, closes_at: closesAt, response_limit: limit } = survey;
  const { timezone } = survey.survey_settings;
  const atMidnight = closesAt === null || timeOfDay(closesAt, timezone) === MIDNIGHT;
  const time = closesAt === null || atMidnight ? '' : timeOfDay(closesAt, timezone);
  // The end of a day is midnight of the next.
  const day = closesAt === null ? '' : (atMidnight ? lastDayOf : firstDayOf)(closesAt, timezone);
  const save = async (values: ReadonlyMap<string, string>) => {
    const newDay = values.get('survey_settings.closes_at') ?? '';
    const newTime = values.get('closing_time') ?? '';
    if (newDay === '' && newTime !== '')
      throw new ApiError('rejected', {
        problems: [{ field: 'survey_settings.closes_at', message: t.needsClosingDay }],
      });
    const closing = newTime === '' ? newDay : `${newDay}T${newTime}`;
    const before = time === '' ? day : `${day}T${time}`;
    await changeApi('put', '/api/surveys/{id}', {
      path: { id },
      body: {
        survey_settings: {
          ...(closing === before ? {} : { closes_at: closing === '' ? null : closing }),
          response_limit: parseCount(values, 'survey_settings.response_limit'),
        },
      },
    });
    await reloadQueries('/api/surveys');
    onClose();
    announce(t.limitsSaved);
  };
  return (
    <Dialog title={t.limits} onClose={onClose}>
      <Form submit={t.save} onSubmit={save} otherButtons={<CancelButton onClose={onClose} />}>
        <Field
          name="survey_settings.closes_at"
          type="date"
          label={t.closeDate}
          hint={t.closeDateHint(timezone)}
          value={day}
        />
        <Field
          name="closing_time"
          type="time"
          label={t.closeTime}
          hint={t.closeTimeHint(timezone)}
          value={time}
        />
        <Field
          name="survey_settings.response_limit"
          label={t.surveyLimit}
          hint={t.surveyLimitHint}
          inputMode="numeric"
          value={limit?.toString() ?? ''}
        />
      </Form>
    </Dialog>
  );
}
