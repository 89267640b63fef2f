import { useState } from 'preact/hooks';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { SearchField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { texts } from '../../texts.ts';
import { useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { studioTypeOf } from '../question-types/registry.ts';
import { copiesOf, type EditorQuestion, type NewQuestionFields, toEditorQuestion } from './editor-content.ts';
import { questionInWords } from './piping/pipes.ts';
import { TypeIcon } from './question-type-menu.tsx';

const words = texts.editor.copy;
const SURVEYS_SHOWN = 20;

/** Chooses questions of this or another survey and copies them, without their logic, whose questions the survey may not have. */
export function CopyQuestionsDialog({
  surveyId,
  workspaceId,
  takenCodes,
  onInsert,
  onClose,
}: {
  surveyId: number;
  workspaceId: number;
  takenCodes: readonly string[];
  /** Throws ApiError. */
  onInsert: (questions: readonly NewQuestionFields[]) => Promise<void>;
  onClose: () => void;
}) {
  const [source, setSource] = useState<{ id: number; name: string } | null>(null);
  return (
    <Dialog title={source === null ? words.title : words.titleOf(source.name)} onClose={onClose}>
      {source === null ? (
        <SurveyChoice surveyId={surveyId} workspaceId={workspaceId} onChoose={setSource} onClose={onClose} />
      ) : (
        <QuestionChoice
          sourceId={source.id}
          takenCodes={takenCodes}
          onInsert={async (questions) => {
            await onInsert(questions);
            onClose();
          }}
          onBack={() => setSource(null)}
        />
      )}
    </Dialog>
  );
}

function SurveyChoice({
  surveyId,
  workspaceId,
  onChoose,
  onClose,
}: {
  surveyId: number;
  workspaceId: number;
  onChoose: (survey: { id: number; name: string }) => void;
  onClose: () => void;
}) {
  const [search, setSearch] = useState('');
  const surveys = useQuery(
    '/api/surveys',
    {
      query: {
        workspace_id: workspaceId,
        sort: '-survey_updated',
        limit: SURVEYS_SHOWN,
        ...(search === '' ? {} : { search }),
      },
    },
    { keepPrevious: true },
  );
  return (
    <>
      <SearchField label={words.searchSurveys} onSearch={setSearch} />
      <QueryView query={surveys}>
        {(found) => {
          const others = found.filter(({ survey_id: id }) => id !== surveyId);
          const listed = [
            ...(search === '' ? [{ survey_id: surveyId, survey_name: words.thisSurvey }] : []),
            ...others,
          ];
          if (listed.length === 0) return <p class="hint">{words.noSurveys}</p>;
          return (
            <ul class="choice-list" aria-label={words.surveys}>
              {listed.map(({ survey_id: id, survey_name: name }) => (
                <li key={id}>
                  <button type="button" class="choice-row" onClick={() => onChoose({ id, name })}>
                    {name}
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryView>
      <div class="buttons">
        <CancelButton onClose={onClose} />
      </div>
    </>
  );
}

function QuestionChoice({
  sourceId,
  takenCodes,
  onInsert,
  onBack,
}: {
  sourceId: number;
  takenCodes: readonly string[];
  onInsert: (questions: readonly NewQuestionFields[]) => Promise<void>;
  onBack: () => void;
}) {
  const query = useQuery('/api/surveys/{id}', { path: { id: sourceId } });
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [isMissing, setMissing] = useState(false);
  const toggle = (id: number, isOn: boolean) => {
    setMissing(false);
    setChosen((before) => new Set(isOn ? [...before, id] : [...before].filter((each) => each !== id)));
  };
  return (
    <QueryView query={query}>
      {(survey) => {
        const questions = survey.pages.flatMap((page) => page.questions.map(toEditorQuestion));
        const isFound = (question: EditorQuestion) =>
          [questionInWords(question, questions), question.question_settings.report_label].some(
            (text) => typeof text === 'string' && text.toLowerCase().includes(search.toLowerCase()),
          );
        const found = questions.filter(isFound);
        const copied = questions.filter(({ question_id: id }) => chosen.has(id));
        return (
          <Form
            submit={words.insert(copied.length)}
            onSubmit={async () => {
              if (copied.length === 0) setMissing(true);
              else await onInsert(copiesOf(copied, takenCodes));
            }}
            otherButtons={
              <button type="button" class="button" onClick={onBack}>
                {words.back}
              </button>
            }
          >
            <SearchField label={words.searchQuestions} onSearch={setSearch} />
            <div class="choice-list" role="group" aria-label={words.questions}>
              {found.map((question) => (
                <label key={question.question_id} class="check">
                  <input
                    type="checkbox"
                    checked={chosen.has(question.question_id)}
                    onChange={(event) => toggle(question.question_id, event.currentTarget.checked)}
                  />
                  <span class="copied-question">
                    <TypeIcon type={question.question_type} />
                    <span>
                      {questionInWords(question, questions)}{' '}
                      <span class="soft">{studioTypeOf(question).label}</span>
                    </span>
                  </span>
                </label>
              ))}
              {found.length === 0 && <p class="hint">{words.noQuestions}</p>}
            </div>
            <p class="hint">{words.withoutLogic}</p>
            {isMissing && (
              <p class="problem" role="alert">
                {words.chooseFirst}
              </p>
            )}
          </Form>
        );
      }}
    </QueryView>
  );
}
