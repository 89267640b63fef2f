import { useState } from 'preact/hooks';
import { ApiError, type FieldProblem } from '../../../shared/client/api.ts';
import { useAction } from '../../../shared/client/form.tsx';
import { capitalize, errorMessage } from '../../../shared/client/form-errors.ts';
import { Icon } from '../../../shared/client/icon.tsx';
import { followLink, navigate } from '../../../shared/client/navigation.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import type { IconName } from '../../../shared/icon-shapes.ts';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { changeApi } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import { canEditIn, useSession } from '../shell/session-context.tsx';
import { describePlace } from './describe-place.ts';
import { NewSurveyFromText } from './new-survey-from-text.tsx';
import './new-survey.css';
import { TemplateSketch } from '../question-types/template-sketch.tsx';
import { TEMPLATES } from './templates.ts';

type CreateFromFile = (file: object) => Promise<void>;

const MAX_FILE_BYTES = 10_000_000;
const NEW_PATH = '/surveys/new';

const WAYS: readonly { path: string; icon: IconName; title: string; about: string }[] = [
  { path: 'template', icon: 'template', title: texts.create.template, about: texts.create.templateAbout },
  { path: 'text', icon: 'text', title: texts.create.text, about: texts.create.textAbout },
  { path: 'file', icon: 'file', title: texts.create.file, about: texts.create.fileAbout },
];

/** Creates a survey in one of four ways, and opens it in the editor. */
export function NewSurveyPage({ way }: { way: string | undefined }) {
  const { workspace } = useSession();
  const workspaceId = workspace?.workspace_id;
  const openCreated = async ({
    survey_id: id,
    survey_name: name,
  }: {
    survey_id: number;
    survey_name: string;
  }) => {
    await reloadQueries('/api/surveys');
    navigate(`/surveys/${id}/edit`);
    announce(texts.create.created(name));
  };
  const createFromFile: CreateFromFile = async (file) =>
    openCreated(
      await changeApi('post', '/api/surveys/import', {
        query: { workspace_id: workspaceId },
        body: file as Record<string, unknown>,
      }),
    );
  const createBlank = async () =>
    openCreated(
      await changeApi('post', '/api/surveys', {
        query: { workspace_id: workspaceId },
        body: { survey_name: texts.create.unnamed, pages: [{}] },
      }),
    );
  if (!canEditIn(workspace)) return <Section title={texts.create.title}>{texts.surveys.emptyViewer}</Section>;
  switch (way) {
    case 'template':
      return <FromTemplate onCreate={createFromFile} />;
    case 'text':
      return <NewSurveyFromText onCreate={createFromFile} back={<BackLink />} />;
    case 'file':
      return <FromFile onCreate={createFromFile} />;
    default:
      return <ChooseWay onBlank={createBlank} />;
  }
}

const BackLink = () => (
  <a class="button" href={NEW_PATH} onClick={followLink}>
    {texts.create.back}
  </a>
);

function ChooseWay({ onBlank }: { onBlank: () => Promise<void> }) {
  const { runAction, errorNotice } = useAction();
  return (
    <Section title={texts.create.title} about={texts.create.ways}>
      {errorNotice}
      <ul class="ways">
        <li>
          <button type="button" class="card" onClick={() => void runAction(onBlank)}>
            <Icon name="blank" />
            <strong>{texts.create.blank}</strong>
            <span class="soft">{texts.create.blankAbout}</span>
          </button>
        </li>
        {WAYS.map(({ path, icon, title, about }) => (
          <li key={path}>
            <a class="card" href={`${NEW_PATH}/${path}`} onClick={followLink}>
              <Icon name={icon} />
              <strong>{title}</strong>
              <span class="soft">{about}</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function FromTemplate({ onCreate }: { onCreate: CreateFromFile }) {
  const { runAction, errorNotice } = useAction();
  return (
    <Section title={texts.create.template} about={texts.create.templateAbout} action={<BackLink />}>
      {errorNotice}
      <ul class="templates">
        {TEMPLATES.map(({ name, about, sketched, questions, pageCount, file }) => (
          <li key={name} class="card">
            <TemplateSketch questions={sketched} />
            <h2>{name}</h2>
            <p class="soft">{about}</p>
            <details>
              <summary>
                {texts.create.questions(questions.length)} · {texts.create.pages(pageCount)}
              </summary>
              <ol>
                {questions.map((question) => (
                  <li key={question}>{question}</li>
                ))}
              </ol>
            </details>
            <button type="button" class="button small" onClick={() => void runAction(() => onCreate(file))}>
              {texts.create.useTemplate}
              <span class="visually-hidden"> {name}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function FromFile({ onCreate }: { onCreate: CreateFromFile }) {
  const [isBusy, setIsBusy] = useState(false);
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [failure, setFailure] = useState<string | null>(null);

  const readFile = async (file: File) => {
    setProblems([]);
    setFailure(null);
    if (file.size > MAX_FILE_BYTES) {
      setFailure(texts.create.tooLarge);
      return;
    }
    const survey = parseJson(await file.text());
    if (survey === null) {
      setFailure(texts.create.notJson);
      return;
    }
    setIsBusy(true);
    try {
      await onCreate(survey);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblems(error.problems);
      setFailure(error.problems.length === 0 ? errorMessage(error) : texts.create.fileProblems);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <Section title={texts.create.file} about={texts.create.fileAbout} action={<BackLink />}>
      <div class="card file-choice" aria-busy={isBusy}>
        <label class="button primary choose">
          {texts.create.chooseFile}
          <input
            class="visually-hidden"
            type="file"
            accept=".json,application/json"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              // The same file can be chosen again after it was mended.
              if (file !== undefined) void readFile(file);
              event.currentTarget.value = '';
            }}
          />
        </label>
        <p class="hint">{texts.create.fileHint}</p>
        {failure !== null && (
          <p class="summary" role="alert">
            {failure}
          </p>
        )}
        {problems.length > 0 && (
          <ul class="file-problems">
            {problems.map(({ field, message }) => (
              <li key={field + message}>
                <strong>{describePlace(field)}</strong> {capitalize(message)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}

function parseJson(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
