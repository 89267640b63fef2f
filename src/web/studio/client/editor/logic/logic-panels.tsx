import { texts } from '../../../texts.ts';
import { studioTypeOf } from '../../question-types/registry.ts';
import {
  type EditorPage,
  type EditorQuestion,
  logicOf,
  type PageLogic,
  type QuestionLogic,
} from '../editor-content.ts';
import type { SurveyContent } from '../survey-content.ts';
import type { SurveyEditor } from '../survey-editor.ts';
import { memo } from '../use-topic.ts';
import { DisplayEditor } from './condition-editor.tsx';
import './logic.css';
import { CarryForwardEditor, OptionRulesEditor } from './option-rules-editor.tsx';
import { type SkipContext, SkipRulesEditor } from './skip-rules-editor.tsx';

const words = texts.editor.logic;
const NO_RULES: readonly [] = [];
const NO_CONDITIONS = {};

/** Changes of parts of the logic; null removes a part. */
type LogicChanges<L> = { [Name in keyof L]?: L[Name] | null };

/** Returns the logic with the changes, without empty parts; null if nothing remains. */
function changeLogic<L extends object>(logic: L | null, changes: LogicChanges<L>): L | null {
  const isEmpty = (part: unknown) =>
    part === null || part === undefined || (typeof part === 'object' && Object.keys(part).length === 0);
  const parts = Object.entries({ ...logic, ...changes }).filter(([, part]) => !isEmpty(part));
  return parts.length === 0 ? null : (Object.fromEntries(parts) as L);
}

function skipContext(content: SurveyContent, page: EditorPage, own: EditorQuestion | null): SkipContext {
  const { pages } = content;
  const pageIndex = pages.indexOf(page);
  const upToPage = pages.slice(0, pageIndex + 1).flatMap((each) => content.questionsOn(each));
  return {
    earlier: content.answersFor(page, upToPage),
    pages,
    pageIndex,
    questions: content.listQuestions(),
    named: content.listNamed(),
    own: own === null ? null : (content.answersFor(page, [own]).at(-1) ?? null),
  };
}

/** Whether the author has written none of the options yet. */
const hasDefaultOptions = ({ options }: EditorQuestion): boolean =>
  options.every(({ option_label: label, option_code: code }) =>
    ['', texts.editor.newOption(code)].includes(label),
  );

/**
 * Logic of a question: when it and its options are shown, and where its answers lead. It is not rendered again while the text of the
 * question is typed, because it can list all questions of the survey.
 */
export const QuestionLogicPanel = memo(function QuestionLogicPanel({
  editor: { content, saving },
  question,
}: {
  editor: SurveyEditor;
  question: EditorQuestion;
}) {
  const { question_id: id, options, question_settings: settings } = question;
  const page = content.pageOf(id);
  const logic = logicOf(question);
  const earlier = content.questionsBefore(id);
  const edit = (changes: LogicChanges<QuestionLogic>) =>
    saving.editSettings(id, { logic: changeLogic(logic, changes) });
  const carryForward = (carried: QuestionLogic['carry_forward'] | null) => {
    const changed = changeLogic<QuestionLogic>(logic, { carry_forward: carried ?? null });
    saving.editQuestion(id, {
      question_settings: { ...settings, logic: changed },
      // Without options, the question has those of the earlier one.
      ...(carried !== null && hasDefaultOptions(question) ? { options: [] } : {}),
    });
  };
  if (page === undefined) return null;
  return (
    <div class="logic-panel">
      <DisplayEditor
        title={words.questionTitle}
        always={words.always}
        inWords={words.inWords}
        condition={logic?.display ?? null}
        earlier={earlier}
        onChange={(display) => edit({ display })}
      />
      {studioTypeOf(question).options?.hasLogic === true && (
        <>
          <OptionRulesEditor
            options={options}
            conditions={logic?.options ?? NO_CONDITIONS}
            earlier={earlier}
            onChange={(conditions) => edit({ options: { ...conditions } })}
          />
          <CarryForwardEditor
            question={question}
            carryForward={logic?.carry_forward ?? null}
            earlier={earlier}
            onChange={carryForward}
            onUseSourceOptions={() => saving.editQuestion(id, { options: [] })}
          />
        </>
      )}
      <SkipRulesEditor
        title={words.questionSkipTitle}
        rules={logic?.skip ?? NO_RULES}
        context={skipContext(content, page, question)}
        onChange={(skip) => edit({ skip: [...skip] })}
      />
    </div>
  );
});

/** Logic of a page: when it is shown, and where it leads. */
export function PageLogicPanel({
  editor: { content, saving },
  page,
}: {
  editor: SurveyEditor;
  page: EditorPage;
}) {
  const { page_id: id, page_logic: logic } = page;
  const context = skipContext(content, page, null);
  const own = new Set(page.questionIds);
  const edit = (changes: LogicChanges<PageLogic>) =>
    saving.editPage(id, { page_logic: changeLogic(logic, changes) });
  return (
    <div class="logic-panel">
      <DisplayEditor
        title={words.pageTitle}
        always={words.always}
        inWords={words.inWords}
        condition={logic?.display ?? null}
        earlier={context.earlier.filter(({ question_id: each }) => !own.has(each))}
        onChange={(display) => edit({ display })}
      />
      <SkipRulesEditor
        title={words.skipTitle}
        rules={logic?.skip ?? NO_RULES}
        context={context}
        onChange={(skip) => edit({ skip: [...skip] })}
      />
    </div>
  );
}
