import { useContext, useId, useState } from 'preact/hooks';
import { Field } from '../../../shared/client/fields.tsx';
import { FieldProblems, Form } from '../../../shared/client/form.tsx';
import { fieldMessage } from '../../../shared/client/form-errors.ts';
import { announce } from '../../../shared/client/notices.tsx';
import { weightsTexts as t } from '../../texts/weights.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { useQuery } from '../data/queries.ts';
import { useComputed } from '../data/use-computed.ts';
import type { SplitColumns } from '../survey/split-columns.ts';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import { DimensionEditor } from './dimension-editor.tsx';
import { draftOf, limitProblem, newDimension, requestOf, type WeightDraft } from './weight-draft.ts';
import { WeightOutcome } from './weight-outcome.tsx';

const PREVIEW_DELAY_MS = 300;
const MAX_SURVEYS = 100;
const MAX_DIMENSIONS = 20;

/** A new weight: its targets on one side, and what they do on the other. */
export function WeightEditor({
  survey,
  start,
  columns,
  takenCodes,
  nameOf,
  onSaved,
  onClose,
}: {
  survey: SurveyTabProps['survey'];
  start: WeightDraft;
  columns: SplitColumns;
  /** Codes of columns that exist, in upper case. */
  takenCodes: ReadonlySet<string>;
  nameOf: (columnCode: string) => string;
  onSaved: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const { survey_id: surveyId } = survey;
  const [draft, setDraft] = useState(start);
  /** Keys of the dimensions whose targets are whole. */
  const [ready, setReady] = useState<ReadonlySet<number>>(new Set());
  const change = (changes: Partial<WeightDraft>) => setDraft((current) => ({ ...current, ...changes }));
  const request = requestOf(draft);
  const isReady =
    draft.dimensions.every(({ key }) => ready.has(key)) &&
    limitProblem(draft.minWeight) === null &&
    limitProblem(draft.maxWeight) === null;
  const preview = useComputed(
    isReady ? JSON.stringify(request) : null,
    () =>
      changeApi('post', '/api/responses/{surveyId}/weighting/preview', { path: { surveyId }, body: request }),
    PREVIEW_DELAY_MS,
  );
  const save = async (values: ReadonlyMap<string, string>) => {
    const name = values.get('name')?.trim() || t.defaultName;
    await changeApi('post', '/api/responses/{surveyId}/weighting/create', {
      path: { surveyId },
      body: {
        ...request,
        name,
        column_code: freeCode(takenCodes),
        auto_refresh: draft.autoRefresh,
      },
    });
    await onSaved(name);
  };
  return (
    <div class="weight-editor">
      <Form
        class="card"
        submit={t.save}
        onSubmit={save}
        otherButtons={
          <button type="button" class="button" onClick={onClose}>
            {t.cancel}
          </button>
        }
      >
        <Field name="name" label={t.name} value={start.name} />
        <h3>{t.targets}</h3>
        <p class="hint">{t.targetsAbout}</p>
        {draft.dimensions.map((dimension) => (
          <DimensionEditor
            key={dimension.key}
            surveyId={surveyId}
            dimension={dimension}
            name={dimension.codes.map(nameOf).join(' × ') || t.variable}
            columns={columns}
            onChange={(changed) =>
              change({
                dimensions: draft.dimensions.map((each) => (each.key === changed.key ? changed : each)),
              })
            }
            onRemove={
              draft.dimensions.length === 1
                ? null
                : () => change({ dimensions: draft.dimensions.filter((each) => each !== dimension) })
            }
            onReady={(isWhole) =>
              setReady((current) => {
                const next = new Set(current);
                if (isWhole) next.add(dimension.key);
                else next.delete(dimension.key);
                return next;
              })
            }
          />
        ))}
        <div class="buttons">
          {draft.dimensions.length < MAX_DIMENSIONS && (
            <button
              type="button"
              class="button small"
              onClick={() => change({ dimensions: [...draft.dimensions, newDimension()] })}
            >
              {t.addDimension}
            </button>
          )}
        </div>
        <TakeTargets
          survey={survey}
          onTake={(weight) => change({ dimensions: draftOf(weight).dimensions })}
        />
        <OtherOptions surveyId={surveyId} draft={draft} onChange={change} />
      </Form>
      <section class="card" aria-labelledby="weight-outcome">
        <h3 id="weight-outcome">{t.outcome}</h3>
        <div aria-live="polite" aria-busy={preview.isLoading}>
          {isReady ? (
            <WeightOutcome data={preview.data} error={preview.error} nameOf={nameOf} />
          ) : (
            <p class="soft">{t.waiting}</p>
          )}
        </div>
      </section>
    </div>
  );
}

/** WEIGHT, or the first of WEIGHT2, WEIGHT3 … that no column has. */
function freeCode(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const code = number === 1 ? 'WEIGHT' : `WEIGHT${number}`;
    if (!taken.has(code)) return code;
  }
}

function LimitField({
  name,
  label,
  hint,
  value,
  onInput,
}: {
  name: string;
  label: string;
  hint: string;
  value: string;
  onInput: (text: string) => void;
}) {
  const id = useId();
  const problemOfApi = useContext(FieldProblems).get(name);
  const problem =
    limitProblem(value) ?? (problemOfApi === undefined ? null : fieldMessage(label, problemOfApi));
  return (
    <div class="labeled">
      <label for={id}>{label}</label>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <input
        id={id}
        class="field"
        name={name}
        value={value}
        inputMode="decimal"
        autocomplete="off"
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? `${id}-hint` : `${id}-hint ${id}-problem`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {problem !== null && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** Takes the targets of a weight of this or another survey. */
function TakeTargets({
  survey,
  onTake,
}: {
  survey: SurveyTabProps['survey'];
  onTake: (weight: Schema<'Weight'>) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [chosenSurvey, setChosenSurvey] = useState(survey.survey_id);
  const [chosen, setChosen] = useState('');
  const { data: surveys = [] } = useQuery(
    '/api/surveys',
    isOpen
      ? { query: { workspace_id: survey.workspace_id, sort: '-survey_updated', limit: MAX_SURVEYS } }
      : null,
  );
  const { data: weights } = useQuery(
    '/api/responses/{surveyId}/weighting',
    isOpen ? { path: { surveyId: chosenSurvey } } : null,
  );
  const weight = weights?.find(({ column_code: code }) => code === chosen);
  const id = useId();
  return (
    <details
      class="settings-group"
      onToggle={(event) => {
        if (event.currentTarget.open) setOpen(true);
      }}
    >
      <summary>{t.otherTargets}</summary>
      <div class="settings-group-fields">
        <div class="labeled">
          <label for={`${id}-survey`}>{t.otherSurvey}</label>
          <select
            id={`${id}-survey`}
            class="field"
            value={chosenSurvey}
            onChange={(event) => {
              setChosenSurvey(Number(event.currentTarget.value));
              setChosen('');
            }}
          >
            <option value={survey.survey_id}>{t.thisSurvey}</option>
            {surveys
              .filter(({ survey_id: each }) => each !== survey.survey_id)
              .map(({ survey_id: each, survey_name: name }) => (
                <option key={each} value={each}>
                  {name}
                </option>
              ))}
          </select>
        </div>
        {weights?.length === 0 ? (
          <p class="soft">{t.noOtherWeights}</p>
        ) : (
          <div class="labeled">
            <label for={`${id}-weight`}>{t.otherWeight}</label>
            <select
              id={`${id}-weight`}
              class="field"
              value={chosen}
              onChange={(event) => setChosen(event.currentTarget.value)}
            >
              <option value="">{t.chooseWeight}</option>
              {weights?.map(({ column_code: code, label }) => (
                <option key={code} value={code}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        )}
        <div class="buttons">
          <button
            type="button"
            class="button small"
            aria-disabled={weight === undefined}
            onClick={() => {
              if (weight === undefined) return;
              onTake(weight);
              announce(t.taken(weight.label));
            }}
          >
            {t.take}
          </button>
        </div>
      </div>
    </details>
  );
}

function OtherOptions({
  surveyId,
  draft,
  onChange,
}: {
  surveyId: number;
  draft: WeightDraft;
  onChange: (changes: Partial<WeightDraft>) => void;
}) {
  const id = useId();
  const { data: grid } = useQuery('/api/responses/{surveyId}/grid', {
    path: { surveyId },
    query: { limit: 1 },
  });
  const numbers =
    grid?.columns.filter(({ type, source }) => type === 'number' && source !== 'metadata') ?? [];
  return (
    <details class="settings-group" open={draft.minWeight !== '' || draft.maxWeight !== ''}>
      <summary>{t.options}</summary>
      <div class="settings-group-fields">
        <LimitField
          name="max_weight"
          label={t.maxWeight}
          hint={t.maxWeightHint}
          value={draft.maxWeight}
          onInput={(maxWeight) => onChange({ maxWeight })}
        />
        <LimitField
          name="min_weight"
          label={t.minWeight}
          hint={t.minWeightHint}
          value={draft.minWeight}
          onInput={(minWeight) => onChange({ minWeight })}
        />
        <div class="labeled">
          <label for={`${id}-base`}>{t.baseWeight}</label>
          <p class="hint" id={`${id}-base-hint`}>
            {t.baseWeightHint}
          </p>
          <select
            id={`${id}-base`}
            class="field"
            aria-describedby={`${id}-base-hint`}
            value={draft.baseWeight}
            onChange={(event) => onChange({ baseWeight: event.currentTarget.value })}
          >
            <option value="">{t.equalWeights}</option>
            {numbers.map(({ column_code: code, label }) => (
              <option key={code} value={code}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <div class="labeled">
          <label for={`${id}-missing`}>{t.missing}</label>
          <select
            id={`${id}-missing`}
            class="field"
            value={draft.missing}
            onChange={(event) => {
              const { value } = event.currentTarget;
              if (value in t.missingRules) onChange({ missing: value as WeightDraft['missing'] });
            }}
          >
            {Object.entries(t.missingRules).map(([rule, label]) => (
              <option key={rule} value={rule}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={draft.autoRefresh}
            onChange={(event) => onChange({ autoRefresh: event.currentTarget.checked })}
          />
          <span>
            {t.autoRefresh} <span class="hint">{t.autoRefreshAbout}</span>
          </span>
        </label>
      </div>
    </details>
  );
}
