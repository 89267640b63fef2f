import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { textForm } from '../../../../domain/questions/text-form.ts';
import { proposeReportLabel } from '../../../../domain/survey/report-label.ts';
import { ConfirmDialog } from '../../../shared/client/form.tsx';
import { fieldMessage } from '../../../shared/client/form-errors.ts';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu, type MenuItem } from '../../../shared/client/menu.tsx';
import { texts } from '../../texts.ts';
import type { QuestionType } from '../question-types/question-type.ts';
import { changeQuestionType, scaleWithDontKnow, type TypeChange } from '../question-types/change-type.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { asksRespondents, studioTypeOf } from '../question-types/registry.ts';
import { AnswerSketch } from './answer-sketch.tsx';
import { Disclosure } from './disclosure.tsx';
import { type EditorQuestion, logicOf } from './editor-content.ts';
import { MediaDialog, MediaPreview } from './media-dialog.tsx';
import { ImageDialog } from './image-dialog.tsx';
import { QuestionLogicPanel } from './logic/logic-panels.tsx';
import { NoAnswerFields } from './no-answer-fields.tsx';
import { OptionList, RowList } from './option-lists.tsx';
import { GrowingText } from './piping/growing-text.tsx';
import type { ReferenceSource } from './piping/reference-dialog.tsx';
import { TypeMenu } from './question-type-menu.tsx';
import { ScaleEditor } from './scale-editor.tsx';
import { TableColumns } from './table-columns.tsx';
import { SettingsFields } from './settings-fields.tsx';
import { problemInWords } from './edit-saving.ts';
import { questionKey } from './survey-content.ts';
import type { SurveyEditor } from './survey-editor.ts';
import { memo, useTopic } from './use-topic.ts';

const words = texts.editor.changeType;

interface QuestionCardProps {
  editor: SurveyEditor;
  questionId: number;
  /** Position in the survey, from 1. */
  number: number;
  /** Whether settings and logic are shown. */
  isActive: boolean;
  onActivate: (id: number) => void;
  /** The actions of the menu. They must not change between renderings. */
  menuItems: (id: number) => MenuItem[];
}

/** A question that is edited in place, as it will look. It renders when its own content changes, and no other does. */
export const QuestionCard = memo(function QuestionCard(props: QuestionCardProps) {
  const { editor, questionId, number, isActive, onActivate, menuItems } = props;
  const { content, saving } = editor;
  const key = questionKey(questionId);
  useTopic(content, key);
  const isPressed = useRef(false);
  /** A change of type that waits for the author. */
  const [pending, setPending] = useState<{ about: string; changes: TypeChange['changes'] } | null>(null);
  const [isShowingCodes, setShowingCodes] = useState(false);
  const references = useMemo(
    (): ReferenceSource => ({
      listEarlier: () => content.questionsBefore(questionId),
      listAll: () => content.listNamed(),
    }),
    [content, questionId],
  );
  const question = content.question(questionId);
  const hasOptions = question !== undefined && studioTypeOf(question).options !== null;
  useEffect(() => {
    if (isActive && hasOptions) void editor.loadRetiredCodes(questionId);
  }, [editor, questionId, isActive, hasOptions]);
  /** The question as its logic sees it. */
  const withLogic = useRef(question);
  if (question === undefined) return null;
  if (!hasSameLogicContent(withLogic.current, question)) withLogic.current = question;
  const { options, hasRows, hasTableColumns, sketch } = studioTypeOf(question);
  const drawing = sketch === null ? null : sketch(question.question_settings);
  const problems = content.problemsOf(key);
  const findings = editor.findings.of(key);
  const problemAt = (field: string, name = ''): string | null => {
    const problem = problems.find((each) => each.field === field);
    return problem === undefined ? null : fieldMessage(name, problem.message);
  };
  const edit = (changes: Partial<EditorQuestion>) => saving.editQuestion(questionId, changes);
  const editSettings = (changes: Record<string, unknown>) => saving.editSettings(questionId, changes);
  /** Changes the type at once if nothing is lost. The type that the API has brings back what it had. */
  const chooseType = (type: QuestionType) => {
    const saved = content.savedQuestion(questionId);
    if (type === question.question_type) return;
    if (type === saved?.question_type) {
      edit({ question_type: type, question_settings: saved.question_settings, options: saved.options });
      return;
    }
    const { changes, lost } = changeQuestionType(question, type);
    if (lost.length === 0) edit(changes);
    else setPending({ changes, about: words.about(words.list(lost)) });
  };
  const settings = question.question_settings;
  const description = typeof settings.description === 'string' ? settings.description : '';
  const logic = logicOf(question);
  const remaining = problems.filter(({ field }) => !isShownAtField(field));
  const activate = () => {
    if (!isActive) onActivate(questionId);
  };
  // The card grows when it is active, and what the pointer is on must not move before it is released.
  const activateOnRelease = () => {
    isPressed.current = true;
    const release = () => {
      isPressed.current = false;
      removeEventListener('pointerup', release);
      removeEventListener('pointercancel', release);
      setTimeout(activate);
    };
    addEventListener('pointerup', release);
    addEventListener('pointercancel', release);
  };

  return (
    <article
      class={isActive ? 'card question active' : 'card question'}
      id={key}
      aria-label={texts.editor.question(number)}
      onFocusCapture={() => {
        if (!isPressed.current) activate();
      }}
      onPointerDown={activateOnRelease}
      onBlurCapture={() => void saving.flush()}
    >
      <header>
        <span class="question-number">{number}</span>
        <TypeMenu question={question} number={number} onChoose={chooseType} />
        {logic !== null && <span class="chip">{texts.editor.hasLogic}</span>}
        <span class="space" />
        {asksRespondents(question) && (
          <label class="check">
            <input
              type="checkbox"
              role="switch"
              checked={question.question_required}
              onChange={(event) => edit({ question_required: event.currentTarget.checked })}
            />
            <span>{texts.editor.required}</span>
          </label>
        )}
        <Menu
          label={texts.editor.questionActions(number)}
          button={<Icon name="more" />}
          items={menuItems(questionId)}
        />
      </header>
      <GrowingText
        class="question-text"
        label={texts.editor.questionText}
        placeholder={texts.editor.questionText}
        value={question.question_text}
        problem={problemAt('question_text', texts.editor.questionText)}
        references={references}
        onInput={(value) => edit({ question_text: value })}
      />
      {(isActive || description !== '') && (
        <GrowingText
          class="soft"
          label={texts.editor.description}
          placeholder={texts.editor.descriptionHint}
          value={description}
          problem={problemAt('question_settings.description', texts.editor.description)}
          references={references}
          onInput={(value) => editSettings({ description: value === '' ? null : value })}
        />
      )}
      {isActive && (
        <p class="hint format-hint">{texts.editor.format[textForm({ type: question.question_type })]}</p>
      )}
      {isActive && textForm({ type: question.question_type }) === 'inline' && (
        <ShortLabel
          question={question}
          problem={problemAt('question_settings.report_label', texts.editor.shortLabel)}
          onInput={(value) => editSettings({ report_label: value.trim() === '' ? null : value })}
        />
      )}
      <div class="question-attachments">
        <QuestionImage
          surveyId={editor.surveyId}
          settings={settings}
          number={number}
          isActive={isActive}
          problem={problemAt('question_settings.image_url') ?? problemAt('question_settings.image_alt')}
          onChange={editSettings}
        />
        <QuestionMediaField
          surveyId={editor.surveyId}
          settings={settings}
          number={number}
          isActive={isActive}
          problem={problemAt('question_settings.media_url')}
          onChange={editSettings}
        />
      </div>
      {hasRows && (
        <RowList
          question={question}
          problemAt={problemAt}
          references={references}
          onChange={(rows) => editSettings({ rows })}
        />
      )}
      {hasTableColumns === true && (
        <TableColumns
          question={question}
          problemAt={problemAt}
          onChange={(columns) => editSettings({ columns })}
        />
      )}
      {options !== null && (
        <OptionList
          surveyId={editor.surveyId}
          question={question}
          rules={options}
          isShowingCodes={isShowingCodes}
          problemAt={problemAt}
          references={references}
          nextNumber={() => content.nextOptionNumber(questionId)}
          onChange={(changed) => edit({ options: changed })}
        />
      )}
      {drawing?.kind === 'scale' && (
        <ScaleEditor
          points={drawing.points}
          settings={settings}
          isActive={isActive}
          problemAt={problemAt}
          onChange={editSettings}
          onAddDontKnow={() =>
            setPending({ about: texts.editor.scale.dontKnowAbout, changes: scaleWithDontKnow(question) })
          }
        />
      )}
      {drawing !== null && drawing.kind !== 'scale' && (
        <AnswerSketch sketch={drawing} problemAt={problemAt} onChange={editSettings} />
      )}
      {pending !== null && (
        <ConfirmDialog
          title={words.title(studioTypeOf(pending.changes).label)}
          action={words.change}
          danger={false}
          onClose={() => setPending(null)}
          onConfirm={() => {
            edit(pending.changes);
            return Promise.resolve();
          }}
        >
          {pending.about}
        </ConfirmDialog>
      )}
      <ConflictNotice editor={editor} topic={key} />
      {remaining.length > 0 && (
        <ul class="question-problems" role="alert">
          {remaining.map((problem) => (
            <li key={problem.field} class="problem">
              {problemInWords(problem)}
            </li>
          ))}
        </ul>
      )}
      {findings.length > 0 && (
        <ul class="question-problems">
          {findings.map((message) => (
            <li key={message} class="problem">
              {message}
            </li>
          ))}
        </ul>
      )}
      {isActive && (
        <>
          <Disclosure title={texts.editor.settingsTitle}>
            {() => (
              <>
                <SettingsFields
                  question={question}
                  onChange={editSettings}
                  onChangeQuestion={edit}
                  problemAt={(field) => problemAt(field)}
                />
                {asksRespondents(question) && (
                  <NoAnswerFields
                    settings={settings}
                    problemAt={problemAt}
                    onChange={(choices) => editSettings({ no_answers: choices })}
                  />
                )}
                {options !== null && (
                  <label class="check">
                    <input
                      type="checkbox"
                      role="switch"
                      checked={isShowingCodes}
                      onChange={(event) => setShowingCodes(event.currentTarget.checked)}
                    />
                    <span>{texts.editor.showCodes}</span>
                  </label>
                )}
              </>
            )}
          </Disclosure>
          <Disclosure title={texts.editor.logicTitle} isOpenAtFirst={logic !== null}>
            {() => <QuestionLogicPanel editor={editor} question={withLogic.current ?? question} />}
          </Disclosure>
        </>
      )}
    </article>
  );
});

/** The name of the question in figures. Its proposal from the text applies until the author writes another. */
function ShortLabel({
  question: { question_text: text, question_settings: settings },
  problem,
  onInput,
}: {
  question: EditorQuestion;
  problem: string | null;
  onInput: (value: string) => void;
}) {
  const id = useId();
  return (
    <div class="short-label">
      <label for={id}>{texts.editor.shortLabel}</label>
      <input
        id={id}
        class="inline-field"
        title={texts.editor.shortLabelHint}
        placeholder={proposeReportLabel(text)}
        value={typeof settings.report_label === 'string' ? settings.report_label : ''}
        autocomplete="off"
        aria-invalid={problem !== null}
        {...(problem === null ? {} : { 'aria-describedby': `${id}-problem` })}
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

/** The image of a question, and the button that sets it. */
function QuestionImage({
  surveyId,
  settings,
  number,
  isActive,
  problem,
  onChange,
}: {
  surveyId: number;
  settings: EditorQuestion['question_settings'];
  number: number;
  isActive: boolean;
  problem: string | null;
  onChange: (changes: Record<string, unknown>) => void;
}) {
  const [isEditing, setEditing] = useState(false);
  const image = typeof settings.image_url === 'string' ? settings.image_url : null;
  const alt = typeof settings.image_alt === 'string' ? settings.image_alt : null;
  if (image === null && !isActive) return null;
  return (
    <div class="question-image">
      {image !== null && (
        <img class="option-picture" src={image} alt={alt ?? ''} referrerPolicy="no-referrer" />
      )}
      {isActive && (
        <button type="button" class="button small" onClick={() => setEditing(true)}>
          {image === null ? texts.editor.image.add : texts.editor.image.change}
        </button>
      )}
      {problem !== null && <p class="problem">{problem}</p>}
      {isEditing && (
        <ImageDialog
          surveyId={surveyId}
          label={texts.editor.question(number).toLowerCase()}
          image={image}
          alt={alt}
          onSave={(url, description) => onChange({ image_url: url, image_alt: description })}
          onClose={() => setEditing(false)}
        />
      )}
    </div>
  );
}

function QuestionMediaField({
  surveyId,
  settings,
  number,
  isActive,
  problem,
  onChange,
}: Parameters<typeof QuestionImage>[0]) {
  const [isEditing, setEditing] = useState(false);
  const media = {
    url: typeof settings.media_url === 'string' ? settings.media_url : null,
    alt: typeof settings.media_alt === 'string' ? settings.media_alt : null,
    captions: (settings.media_captions ?? {}) as Record<string, string>,
  };
  if (media.url === null && !isActive) return null;
  const label = texts.editor.question(number).toLowerCase();
  return (
    <div class="question-image">
      {media.url !== null && <MediaPreview url={media.url} label={texts.editor.media.title(label)} />}
      {isActive && (
        <button type="button" class="button small" onClick={() => setEditing(true)}>
          {media.url === null ? texts.editor.media.add : texts.editor.media.change}
        </button>
      )}
      {problem !== null && <p class="problem">{problem}</p>}
      {isEditing && (
        <MediaDialog
          surveyId={surveyId}
          label={label}
          media={media}
          onSave={({ url, alt, captions }) =>
            onChange({
              media_url: url,
              media_alt: alt,
              media_captions: Object.keys(captions).length === 0 ? null : captions,
            })
          }
          onClose={() => setEditing(false)}
        />
      )}
    </div>
  );
}

/** Whether nothing but the text differs. */
const hasSameLogicContent = (before: EditorQuestion | undefined, after: EditorQuestion): boolean =>
  before?.question_settings === after.question_settings &&
  before.options === after.options &&
  before.question_type === after.question_type &&
  before.question_code === after.question_code;

/** Whether the card shows the problem where its value is edited. */
function isShownAtField(field: string): boolean {
  if (/^question_settings\.logic\b/.test(field)) return false;
  return /^(question_(text|code)|options\[\d+\](\.option_(label|image))?|question_settings\..+)$/.test(field);
}
