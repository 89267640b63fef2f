import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { ConfirmDialog, useAction } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { weightsTexts as t } from '../../texts/weights.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { useComputed } from '../data/use-computed.ts';
import { announceChange } from '../responses/data-change.ts';
import { findSplitColumn, useSplitColumns } from '../survey/split-columns.ts';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import { draftOf, newDraft, type WeightDraft } from './weight-draft.ts';
import { WeightEditor } from './weight-editor.tsx';
import { WeightOutcome } from './weight-outcome.tsx';
import './weights.css';

type Weight = Schema<'Weight'>;

/** The weights of a survey, and the form that makes one. */
export function WeightsPage({ survey, canEdit }: SurveyTabProps) {
  const { survey_id: surveyId } = survey;
  const query = useQuery('/api/responses/{surveyId}/weighting', { path: { surveyId } });
  const { data: stats } = useQuery('/api/responses/{surveyId}/stats', { path: { surveyId } });
  const { data: derived = [] } = useQuery(
    '/api/responses/{surveyId}/derived-columns',
    survey.published_version === null ? null : { path: { surveyId } },
  );
  const columns = useSplitColumns(survey);
  const [draft, setDraft] = useState<WeightDraft | null>(null);
  const reload = () => reloadQueries(`/api/responses/${surveyId}`);
  const nameOf = (code: string): string =>
    code
      .split(' × ')
      .map((each) => findSplitColumn(columns, each)?.label ?? each)
      .join(' × ');
  const takenCodes = new Set(derived.map(({ column_code: code }) => code.toUpperCase()));
  return (
    <QueryView query={query}>
      {(weights) => (
        <Section
          title={t.title}
          about={t.about}
          action={
            canEdit &&
            draft === null &&
            stats?.complete !== 0 && (
              <button type="button" class="button primary" onClick={() => setDraft(newDraft(t.defaultName))}>
                {t.create}
              </button>
            )
          }
        >
          {draft !== null && (
            <WeightEditor
              survey={survey}
              start={draft}
              columns={columns}
              takenCodes={takenCodes}
              nameOf={nameOf}
              onSaved={async (name) => {
                await reload();
                setDraft(null);
                announce(t.saved(name));
              }}
              onClose={() => setDraft(null)}
            />
          )}
          {stats?.complete === 0 ? (
            <div class="blank">
              <p class="title">{t.noResponses}</p>
              <p>{t.noResponsesAbout}</p>
            </div>
          ) : weights.length === 0 && draft === null ? (
            <div class="blank">
              <p class="title">{t.empty}</p>
              <p>{t.emptyAbout}</p>
            </div>
          ) : (
            weights.length > 0 && (
              <ul class="weights" aria-label={t.list}>
                {weights.map((weight) => (
                  <WeightItem
                    key={weight.column_code}
                    surveyId={surveyId}
                    weight={weight}
                    canEdit={canEdit}
                    nameOf={nameOf}
                    reload={reload}
                    onCopy={() => setDraft(draftOf(weight))}
                  />
                ))}
              </ul>
            )
          )}
        </Section>
      )}
    </QueryView>
  );
}

function WeightItem({
  surveyId,
  weight,
  canEdit,
  nameOf,
  reload,
  onCopy,
}: {
  surveyId: number;
  weight: Weight;
  canEdit: boolean;
  nameOf: (columnCode: string) => string;
  reload: () => Promise<void>;
  onCopy: () => void;
}) {
  const { column_code: code, label } = weight;
  const [isShown, setShown] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const { runAction, errorNotice } = useAction();
  const refresh = () =>
    runAction(async () => {
      const { change_id: changeId } = await changeApi(
        'post',
        '/api/responses/{surveyId}/weighting/{columnCode}/refresh',
        { path: { surveyId, columnCode: code }, body: {} },
      );
      await reload();
      announceChange(t.refreshed(label), { surveyId, changeId, reload });
    });
  return (
    <li class="card">
      <div class="weight-head">
        <div>
          <h2>{label}</h2>
          <p class="soft">
            {code} · {t.responses(weight.responses)} ·{' '}
            {weight.auto_refresh ? (
              t.follows
            ) : (
              <>
                {t.computed} <DateTime at={weight.made_at} />
              </>
            )}{' '}
            {weight.stale && (
              <span class="chip wait" title={t.staleAbout}>
                {t.stale}
              </span>
            )}
          </p>
        </div>
        <div class="buttons" role="group" aria-label={t.actions(label)}>
          <button
            type="button"
            class="button small"
            aria-expanded={isShown}
            onClick={() => setShown((current) => !current)}
          >
            {isShown ? t.hide : t.show}
          </button>
          {canEdit && (
            <>
              {!weight.auto_refresh && (
                <button type="button" class="button small" onClick={() => void refresh()}>
                  {t.refresh}
                </button>
              )}
              <button type="button" class="button small" onClick={onCopy}>
                {t.useTargets}
              </button>
              <button type="button" class="button small danger" onClick={() => setDeleting(true)}>
                {t.remove}
              </button>
            </>
          )}
        </div>
      </div>
      {errorNotice}
      {isShown && <StoredOutcome surveyId={surveyId} weight={weight} nameOf={nameOf} />}
      {isDeleting && (
        <ConfirmDialog
          title={t.removeTitle(label)}
          action={t.remove}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await changeApi('delete', '/api/responses/{surveyId}/derived-columns/{columnCode}', {
              path: { surveyId, columnCode: code },
            });
            await reload();
            announce(t.removed(label));
          }}
        >
          {t.removeAbout}
        </ConfirmDialog>
      )}
    </li>
  );
}

/** What the targets of a weight do to the responses of now. */
function StoredOutcome({
  surveyId,
  weight: { request },
  nameOf,
}: {
  surveyId: number;
  weight: Weight;
  nameOf: (columnCode: string) => string;
}) {
  const {
    filter,
    include_test: includeTest,
    base_weight_column: base,
    min_weight: min,
    max_weight: max,
  } = request;
  const { data, error } = useComputed(JSON.stringify(request), () =>
    changeApi('post', '/api/responses/{surveyId}/weighting/preview', {
      path: { surveyId },
      body: {
        dimensions: request.dimensions,
        target_type: request.target_type,
        status: request.status,
        quality: request.quality,
        max_iterations: request.max_iterations,
        tolerance: request.tolerance,
        missing: request.missing,
        scale_to: request.scale_to,
        ...(filter === null ? {} : { filter }),
        ...(includeTest === null ? {} : { include_test: includeTest }),
        ...(base === null ? {} : { base_weight_column: base }),
        ...(min === null ? {} : { min_weight: min }),
        ...(max === null ? {} : { max_weight: max }),
      },
    }),
  );
  return <WeightOutcome data={data} error={error} nameOf={nameOf} />;
}
