import { memo } from './memo.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { fieldMessage } from '../../../shared/client/form-errors.ts';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu, type MenuItem } from '../../../shared/client/menu.tsx';
import type { Schema } from '../data/api.ts';
import { texts } from '../../texts.ts';
import { AnswerSketch } from './answer-sketch.tsx';
import {
  type EditorOption,
  type EditorQuestion,
  isFilledOption,
  type MatrixRow,
  newOption,
  withDisplay,
} from './editor-content.ts';
import { LabelList, type LabelItem } from './label-list.tsx';
import { LogicEditor } from './logic-editor.tsx';
import { EDITOR_TYPES } from './question-types.ts';
import { SettingsFields } from './settings-fields.tsx';
import type { SurveyEditor } from './survey-editor.ts';
import { TypeIcon } from './type-icon.tsx';
import { useEditorTopic } from './use-editor.ts';

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
  useEditorTopic(editor, `question-${questionId}`);
  const isPressed = useRef(false);
  const [isShowingCodes, setShowingCodes] = useState(false);
  const question = editor.question(questionId);
  if (question === undefined) return null;
  const problems = editor.problemsOf(`question-${questionId}`);
  const problemAt = (field: string, label = ''): string | null => {
    const problem = problems.find(
      (each) => each.field === field || (field.endsWith('.logic') && each.field.startsWith(field)),
    );
    return problem === undefined ? null : fieldMessage(label, problem.message);
  };
  const edit = (changes: Partial<EditorQuestion>) => editor.editQuestion(questionId, changes);
  const editSettings = (changes: Record<string, unknown>) => editor.editSettings(questionId, changes);
  const settings = question.question_settings;
  const logic = settings.logic as Schema<'QuestionLogic'> | null;
  const textProblem = problemAt('question_text', texts.editor.questionText);
  const remaining = problems.filter(({ field }) => !hasField(field));
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
      id={`question-${questionId}`}
      aria-label={texts.editor.question(number)}
      onFocusCapture={() => {
        if (!isPressed.current) activate();
      }}
      onPointerDown={activateOnRelease}
      onBlurCapture={() => void editor.flush()}
    >
      <header>
        <span class="question-number">{number}</span>
        <span class="type-name">
          <TypeIcon type={question.question_type} />
          {EDITOR_TYPES[question.question_type].label}
        </span>
        {logic !== null && <span class="chip">{texts.editor.hasLogic}</span>}
        <span class="space" />
        <label class="check">
          <input
            type="checkbox"
            role="switch"
            checked={question.question_required}
            onChange={(event) => edit({ question_required: event.currentTarget.checked })}
          />
          <span>{texts.editor.required}</span>
        </label>
        <Menu
          label={texts.editor.questionActions(number)}
          button={<Icon name="more" />}
          items={menuItems(questionId)}
        />
      </header>
      <GrowingText
        class="inline-field question-text"
        label={texts.editor.questionText}
        placeholder={texts.editor.questionText}
        value={question.question_text}
        problem={textProblem}
        onInput={(value) => edit({ question_text: value })}
      />
      {(isActive || typeof settings.description === 'string') && (
        <GrowingText
          class="inline-field soft"
          label={texts.editor.description}
          placeholder={texts.editor.descriptionHint}
          value={typeof settings.description === 'string' ? settings.description : ''}
          problem={problemAt('question_settings.description', texts.editor.description)}
          onInput={(value) => editSettings({ description: value === '' ? null : value })}
        />
      )}
      {question.question_type === 'matrix' && (
        <MatrixRows question={question} problemAt={problemAt} onChange={(rows) => editSettings({ rows })} />
      )}
      {EDITOR_TYPES[question.question_type].hasOptions ? (
        <OptionList
          question={question}
          isShowingCodes={isShowingCodes}
          problemAt={problemAt}
          nextNumber={() => editor.nextOptionNumber(questionId)}
          onChange={(options) => edit({ options })}
        />
      ) : (
        <AnswerSketch question={question} />
      )}
      {remaining.length > 0 && (
        <ul class="question-problems" role="alert">
          {remaining.map(({ field, message }) => (
            <li key={field} class="problem">
              {fieldMessage(field, message)}
            </li>
          ))}
        </ul>
      )}
      {isActive && (
        <>
          <details class="more-settings">
            <summary>{texts.editor.settingsTitle}</summary>
            <SettingsFields
              question={question}
              onChange={editSettings}
              onChangeQuestion={edit}
              problemAt={(field) => problemAt(field)}
            />
            {EDITOR_TYPES[question.question_type].hasOptions && (
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
          </details>
          <details class="more-settings" open={logic?.display !== undefined}>
            <summary>{texts.editor.logicTitle}</summary>
            <LogicEditor
              title={texts.editor.logic.questionTitle}
              condition={logic?.display ?? null}
              earlier={questionsBefore(editor, questionId)}
              problem={problemAt('question_settings.logic')}
              onChange={(display) => editSettings({ logic: withDisplay(logic, display) })}
            />
          </details>
        </>
      )}
    </article>
  );
});

/** Whether the card shows the problem at a field of its own. */
function hasField(field: string): boolean {
  const shown = /^(question_text|question_code|question_type|options\[\d+\]\.option_label|options\[\d+\])$/;
  return shown.test(field) || field.startsWith('question_settings.');
}

const questionsBefore = (editor: SurveyEditor, id: number): EditorQuestion[] => {
  const questions = editor.listQuestions();
  const index = questions.findIndex(({ question_id: each }) => each === id);
  return questions.slice(0, Math.max(0, index));
};

/** A text box without a frame that is as high as its text. */
export function GrowingText({
  label,
  placeholder,
  value,
  problem = null,
  onInput,
  class: className,
}: {
  label: string;
  placeholder: string;
  value: string;
  problem?: string | null;
  onInput: (value: string) => void;
  class: string;
}) {
  const element = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // Browsers without `field-sizing: content`.
    const textarea = element.current;
    if (textarea === null || CSS.supports('field-sizing', 'content')) return;
    textarea.style.height = 'auto';
    textarea.style.height = `${textarea.scrollHeight}px`;
  }, [value]);
  return (
    <div>
      <textarea
        ref={element}
        rows={1}
        class={className}
        aria-label={label}
        placeholder={placeholder}
        value={value}
        aria-invalid={problem !== null}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {problem !== null && <p class="problem">{problem}</p>}
    </div>
  );
}

type OptionItem = LabelItem & { option: EditorOption };

const FLAGS = ['option_other', 'option_exclusive', 'option_missing', 'option_anchor'] as const;
type Flag = (typeof FLAGS)[number];

/** The flags that have an effect in questions of the type. */
const flagsOf = ({ question_type: type }: EditorQuestion): readonly Flag[] =>
  FLAGS.filter((flag) => {
    if (flag === 'option_exclusive') return type === 'multiple_choice';
    if (flag === 'option_other')
      return type === 'single_choice' || type === 'multiple_choice' || type === 'dropdown';
    return type !== 'matrix' && type !== 'constant_sum';
  });

const MARKS = new Map([
  ['single_choice', 'mark-radio'],
  ['multiple_choice', 'mark-box'],
]);

const CHOICE_LABELS = {
  title: texts.editor.options,
  item: texts.editor.option,
  actions: texts.editor.optionActions,
  add: texts.editor.addOption,
};
const COLUMN_LABELS = {
  title: texts.editor.columns,
  item: texts.editor.column,
  actions: texts.editor.columnActions,
  add: texts.editor.addColumn,
};
const ROW_LABELS = {
  title: texts.editor.rows,
  item: texts.editor.row,
  actions: texts.editor.rowActions,
  add: texts.editor.addRow,
};

function OptionList({
  question,
  isShowingCodes,
  problemAt,
  nextNumber,
  onChange,
}: {
  question: EditorQuestion;
  isShowingCodes: boolean;
  problemAt: (field: string, label?: string) => string | null;
  nextNumber: () => number;
  onChange: (options: readonly EditorOption[]) => void;
}) {
  const { options } = question;
  const items: OptionItem[] = options.map((option) => ({
    key: option.option_value,
    label: option.option_label,
    option,
  }));
  const createItem = (label: string): OptionItem => {
    const option = newOption(nextNumber(), label);
    return { key: option.option_value, label, option };
  };
  const change = (changed: readonly OptionItem[]) =>
    onChange(changed.map(({ label, option }) => ({ ...option, option_label: label })));
  const toggle = (option: EditorOption, flag: Flag) =>
    onChange(options.map((each) => (each === option ? { ...each, [flag]: !each[flag] } : each)));
  const flags = flagsOf(question);
  // Empty options are not sent, so the indexes of the API leave them out.
  const sentIndex = (index: number) => options.slice(0, index).filter(isFilledOption).length;
  const isMatrix = question.question_type === 'matrix';
  return (
    <>
      {isMatrix && <p class="list-title">{texts.editor.columns}</p>}
      <LabelList
        items={items}
        labels={isMatrix ? COLUMN_LABELS : CHOICE_LABELS}
        createItem={createItem}
        onChange={change}
        mark={<i class={`mark-shape ${MARKS.get(question.question_type) ?? 'mark-plain'}`} />}
        aside={({ option }) => (
          <>
            {flags
              .filter((flag) => option[flag])
              .map((flag) => (
                <span key={flag} class="chip">
                  {texts.editor.flagChips[flag]}
                </span>
              ))}
            {isShowingCodes && <span class="chip code">{texts.editor.optionCode(option.option_code)}</span>}
          </>
        )}
        menuItems={({ option }) =>
          flags.map((flag) => ({
            label: `${option[flag] ? '✓ ' : ''}${texts.editor.flags[flag]}`,
            run: () => toggle(option, flag),
          }))
        }
        problemAt={(index) =>
          problemAt(`options[${sentIndex(index)}].option_label`) ?? problemAt(`options[${sentIndex(index)}]`)
        }
      />
      {problemAt('options', texts.editor.options) !== null && (
        <p class="problem">{problemAt('options', texts.editor.options)}</p>
      )}
    </>
  );
}

function MatrixRows({
  question,
  problemAt,
  onChange,
}: {
  question: EditorQuestion;
  problemAt: (field: string) => string | null;
  onChange: (rows: readonly MatrixRow[]) => void;
}) {
  const rows = (question.question_settings.rows ?? []) as readonly MatrixRow[];
  /** Several rows are created before the question has the first of them. */
  const created = useRef(0);
  const createItem = (label: string): LabelItem => {
    const numbers = rows.map(({ row_code: code }) => Number(/^r(\d+)$/.exec(code)?.[1] ?? 0));
    created.current = Math.max(created.current, ...numbers) + 1;
    return { key: `r${created.current}`, label };
  };
  return (
    <>
      <p class="list-title">{texts.editor.rows}</p>
      <LabelList
        items={rows.map(({ row_code: key, row_label: label }) => ({ key, label }))}
        labels={ROW_LABELS}
        createItem={createItem}
        onChange={(items) => onChange(items.map(({ key, label }) => ({ row_code: key, row_label: label })))}
        mark={<i class="mark-shape mark-plain" />}
        problemAt={(index) => problemAt(`question_settings.rows[${index}].row_label`)}
      />
    </>
  );
}
