import { Icon } from '../../../../shared/client/icon.tsx';
import { Menu, type MenuItem } from '../../../../shared/client/menu.tsx';
import { texts } from '../../../texts.ts';
import { type Condition, type EditorPage, type EditorQuestion, moveItem } from '../editor-content.ts';
import { questionInWords } from '../piping/pipes.ts';
import { ConditionRowsEditor, FixedCondition, newRow } from './condition-editor.tsx';
import {
  type ConditionRows,
  fromConditionRows,
  isEveryRowComplete,
  NO_ROWS,
  toConditionRows,
} from './condition-rows.ts';
import { conditionInWords, pageName, skipInWords, type SkipRule } from './logic-words.ts';
import { useDraft } from './use-draft.ts';

const words = texts.editor.logic;

/** True for every respondent. */
const EVERYONE: Condition = { connector: 'and', conditions: [] };

/** A rule while it is edited. */
interface SkipDraft {
  /** null: rows cannot show the stored condition. Without rows, the rule is for every respondent. */
  rows: ConditionRows | null;
  stored: Condition;
  /** `end_survey`, `screen_out`, or an action with its target: `jump_to_page 3`. Empty: not chosen yet. */
  target: string;
  reason: string;
}

/** What rules can refer to. */
export interface SkipContext {
  /** Questions that conditions can use: those up to the page. */
  earlier: readonly EditorQuestion[];
  /** All pages, and the index of the one that the rules belong to. */
  pages: readonly EditorPage[];
  pageIndex: number;
  /** Of the survey. */
  questions: readonly EditorQuestion[];
  /** All that rules in words can name. */
  named: readonly EditorQuestion[];
  /** The question that the rules belong to, which their conditions are about at first; null: rules of a page. */
  own: EditorQuestion | null;
}

const readRules = (rules: readonly SkipRule[]): SkipDraft[] =>
  rules.map(({ when, action, target_id: id, reason = '' }) => ({
    rows: toConditionRows(when),
    stored: when,
    target: id === undefined ? action : `${action} ${id}`,
    reason,
  }));

const ACTIONS = ['end_survey', 'screen_out', 'jump_to_page', 'jump_to_question'] as const;

/** Returns the rules that are complete. */
function writeRules(drafts: readonly SkipDraft[], earlier: readonly EditorQuestion[]): SkipRule[] {
  return drafts.flatMap(({ rows, stored, target, reason }): SkipRule[] => {
    const [name, id] = target.split(' ');
    const action = ACTIONS.find((each) => each === name);
    if (action === undefined || (rows !== null && !isEveryRowComplete(rows, earlier))) return [];
    const when = rows === null ? stored : (fromConditionRows(rows, earlier) ?? EVERYONE);
    return [
      {
        when,
        action,
        ...(id === undefined ? {} : { target_id: Number(id) }),
        ...(reason.trim() === '' || id !== undefined ? {} : { reason }),
      },
    ];
  });
}

/** The rules that apply when a page is submitted: go on elsewhere, end the survey, or screen out. The first that is true applies. */
export function SkipRulesEditor({
  title,
  rules,
  context,
  onChange,
}: {
  /** When the rules apply. */
  title: string;
  rules: readonly SkipRule[];
  context: SkipContext;
  onChange: (rules: readonly SkipRule[]) => void;
}) {
  const { earlier, own } = context;
  const [drafts, change] = useDraft(
    rules,
    { read: readRules, write: (changed: readonly SkipDraft[]) => writeRules(changed, earlier) },
    onChange,
  );
  const add = () =>
    change([
      ...drafts,
      {
        rows: {
          connector: 'and',
          groups: [{ connector: 'and', rows: [own === null ? newRow(earlier) : newRow([own])] }],
        },
        stored: EVERYONE,
        target: '',
        reason: '',
      },
    ]);
  return (
    <section class="logic" aria-label={title}>
      <p class="logic-title">{title}</p>
      {drafts.length === 0 && <p class="hint">{words.noSkips}</p>}
      {drafts.map((draft, index) => (
        <RuleEditor
          key={index}
          label={words.rule(index + 1)}
          draft={draft}
          context={context}
          onChange={(changed) => change(drafts.with(index, changed))}
          menuItems={[
            ...(index > 0
              ? [{ label: texts.editor.moveUp, run: () => change(moveItem(drafts, index, index - 1)) }]
              : []),
            ...(index < drafts.length - 1
              ? [{ label: texts.editor.moveDown, run: () => change(moveItem(drafts, index, index + 1)) }]
              : []),
            {
              label: texts.editor.removeOption,
              danger: true,
              run: () => change(drafts.toSpliced(index, 1)),
            },
          ]}
        />
      ))}
      <button type="button" class="button small" onClick={add}>
        {words.addSkip}
      </button>
      {drafts.length > 1 && <p class="hint">{words.firstRule}</p>}
    </section>
  );
}

function RuleEditor({
  label,
  draft,
  context,
  onChange,
  menuItems,
}: {
  label: string;
  draft: SkipDraft;
  context: SkipContext;
  onChange: (draft: SkipDraft) => void;
  menuItems: readonly MenuItem[];
}) {
  const { earlier, pages, named } = context;
  const { rows, stored, target, reason } = draft;
  const [complete] = writeRules([draft], earlier);
  const isEnd = target === 'end_survey' || target === 'screen_out';
  return (
    <fieldset class="condition-group">
      <legend class="visually-hidden">{label}</legend>
      <div class="rule-head">
        <span>{words.ifTrue}</span>
        <Menu label={words.ruleActions(label)} button={<Icon name="more" />} items={menuItems} />
      </div>
      {rows === null ? (
        <FixedCondition
          inWords={conditionInWords(stored, earlier)}
          onClear={() => onChange({ ...draft, rows: NO_ROWS })}
        />
      ) : (
        <>
          {rows.groups.length === 0 && <p class="hint">{words.forEveryone}</p>}
          <ConditionRowsEditor
            rows={rows}
            earlier={earlier}
            onChange={(changed) => onChange({ ...draft, rows: changed })}
          />
        </>
      )}
      <div class="rule-target">
        <span aria-hidden="true">{words.then}</span>
        <TargetSelect
          target={target}
          context={context}
          onChange={(value) => onChange({ ...draft, target: value })}
        />
        {isEnd && (
          <input
            class="field"
            aria-label={words.reason}
            placeholder={words.reason}
            autocomplete="off"
            maxLength={200}
            value={reason}
            onInput={(event) => onChange({ ...draft, reason: event.currentTarget.value })}
          />
        )}
      </div>
      {complete === undefined ? (
        <p class="hint">{words.incompleteRule}</p>
      ) : (
        <p class="in-words">{skipInWords(complete, { questions: named, pages })}</p>
      )}
    </fieldset>
  );
}

function TargetSelect({
  target,
  context: { pages, pageIndex, questions },
  onChange,
}: {
  target: string;
  context: SkipContext;
  onChange: (target: string) => void;
}) {
  const later = pages.map((page, index) => ({ page, index })).slice(pageIndex + 1);
  const laterIds = new Set(later.flatMap(({ page }) => page.questionIds));
  const known = new Set([
    '',
    'end_survey',
    'screen_out',
    ...later.map(({ page }) => `jump_to_page ${page.page_id}`),
    ...[...laterIds].map((id) => `jump_to_question ${id}`),
  ]);
  return (
    <select
      class="field"
      aria-label={words.target}
      value={target}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{words.chooseTarget}</option>
      {!known.has(target) && <option value={target}>{words.targets.gone}</option>}
      <optgroup label={words.ends}>
        <option value="screen_out">{words.targetChoices.screenOut}</option>
        <option value="end_survey">{words.targetChoices.end}</option>
      </optgroup>
      {later.length > 0 && (
        <optgroup label={words.laterPages}>
          {later.map(({ page, index }) => (
            <option key={page.page_id} value={`jump_to_page ${page.page_id}`}>
              {words.targetChoices.goTo(pageName(page, index, questions))}
            </option>
          ))}
        </optgroup>
      )}
      {laterIds.size > 0 && (
        <optgroup label={words.laterQuestions}>
          {questions
            .filter(({ question_id: id }) => laterIds.has(id))
            .map((question) => (
              <option key={question.question_id} value={`jump_to_question ${question.question_id}`}>
                {words.targetChoices.goTo(questionInWords(question, questions))}
              </option>
            ))}
        </optgroup>
      )}
    </select>
  );
}
