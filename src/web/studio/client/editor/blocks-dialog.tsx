import { useState } from 'preact/hooks';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { CancelButton, ConfirmDialog, Form, useAction } from '../../../shared/client/form.tsx';
import { Icon } from '../../../shared/client/icon.tsx';
import { texts } from '../../texts.ts';
import { blocksTexts } from '../../texts/blocks.ts';
import { loopTexts } from '../../texts/loops.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { itemsOfOptions } from '../data/written-out-questions.ts';
import { reloadQueries } from '../data/queries.ts';
import { type Arrangement, ArrangementFields, arrangementInWords } from './arrangement-fields.tsx';
import './blocks.css';
import { LoopFields, loopInWords, type LoopSource } from './loop-fields.tsx';
import { pageName, questionName } from './logic/logic-words.ts';
import type { EditorQuestion } from './editor-content.ts';
import type { SurveyEditor } from './survey-editor.ts';
import { studioTypeOf } from '../question-types/registry.ts';

const words = blocksTexts;

type Block = Schema<'Block'>;
type Arm = Block['arms'][number];
type View = { kind: 'list' } | { kind: 'form'; block: Block | null } | { kind: 'delete'; block: Block };

interface BlocksProps {
  survey: Schema<'SurveyWithPages'>;
  editor: SurveyEditor;
}

/** The blocks of a survey: what they contain, in which order it is shown, and to whom. */
export function BlocksDialog({ survey, editor, onClose }: BlocksProps & { onClose: () => void }) {
  const [view, setView] = useState<View>({ kind: 'list' });
  const showList = () => setView({ kind: 'list' });
  if (view.kind === 'delete')
    return (
      <ConfirmDialog
        title={words.deleteTitle(nameOf(view.block))}
        action={texts.editor.delete}
        onClose={showList}
        onConfirm={() =>
          changeSurvey(editor, () =>
            changeApi('delete', '/api/surveys/{surveyId}/blocks/{blockId}', {
              path: { surveyId: survey.survey_id, blockId: view.block.block_id },
            }),
          )
        }
      >
        {words.deleteAbout}
      </ConfirmDialog>
    );
  const title =
    view.kind === 'list'
      ? words.title
      : view.block === null
        ? words.newBlock
        : words.edit(nameOf(view.block));
  return (
    <Dialog title={title} onClose={onClose}>
      {view.kind === 'list' ? (
        <BlockList survey={survey} editor={editor} onShow={setView} onClose={onClose} />
      ) : (
        <BlockForm
          key={view.block?.block_id ?? 0}
          survey={survey}
          editor={editor}
          block={view.block}
          onClose={showList}
        />
      )}
    </Dialog>
  );
}

const nameOf = ({ block_title: title, block_code: code }: Block): string => title ?? code;

/** Saves the edits of texts first, because the survey is read again afterwards. Throws ApiError. */
async function changeSurvey(editor: SurveyEditor, change: () => Promise<unknown>): Promise<void> {
  await editor.saving.flush();
  await editor.saving.sendInOrder(change);
  await reloadQueries('/api/surveys');
  editor.content.notify('saved');
}

/** A page or block, as the contents of a survey or block list it. */
interface Part {
  key: string;
  name: string;
}

/** The pages and blocks directly in a block, or in none, in survey order. */
function partsOf({ survey, editor }: BlocksProps, blockId: number | null): Part[] {
  const parts = new Map<string, Part>();
  const questions = editor.content.listQuestions();
  for (const [index, page] of editor.content.pages.entries()) {
    const around = blocksAround(survey.blocks, page.block_id);
    const depth = blockId === null ? 0 : around.findIndex(({ block_id: id }) => id === blockId) + 1;
    if (blockId !== null && depth === 0) continue;
    const child = around[depth];
    const part =
      child === undefined
        ? { key: `page-${page.page_id}`, name: pageName(page, index, questions) }
        : { key: `block-${child.block_id}`, name: words.blockName(nameOf(child)) };
    parts.set(part.key, part);
  }
  return [...parts.values()];
}

/** Outermost first. */
function blocksAround(blocks: readonly Block[], blockId: number | null): Block[] {
  const block = blocks.find(({ block_id: id }) => id === blockId);
  return block === undefined ? [] : [...blocksAround(blocks, block.parent_block_id), block];
}

function BlockList({
  survey,
  editor,
  onShow,
  onClose,
}: BlocksProps & { onShow: (view: View) => void; onClose: () => void }) {
  const { runAction, errorNotice } = useAction();
  const { blocks } = survey;
  const saveOrder = (arrangement: Arrangement | null) =>
    void runAction(() =>
      changeSurvey(editor, () =>
        changeApi('put', '/api/surveys/{id}', {
          path: { id: survey.survey_id },
          body: { survey_arrangement: arrangement },
        }),
      ),
    );
  return (
    <div class="form">
      <p>{words.about}</p>
      {blocks.length > 0 && (
        <ul class="block-list" aria-label={words.title}>
          {blocks.map((block) => (
            <li key={block.block_id}>
              <div>
                <span class="block-name">{nameOf(block)}</span> <span class="soft">{block.block_code}</span>
                <p class="soft">{blockInWords(block, blocks)}</p>
              </div>
              <button type="button" class="button small" onClick={() => onShow({ kind: 'form', block })}>
                {words.change}
                <span class="visually-hidden"> {nameOf(block)}</span>
              </button>
              <button
                type="button"
                class="icon-button"
                aria-label={words.delete(nameOf(block))}
                onClick={() => onShow({ kind: 'delete', block })}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <button type="button" class="button" onClick={() => onShow({ kind: 'form', block: null })}>
          <Icon name="plus" /> {words.newBlock}
        </button>
      </div>
      <details class="more-settings" open={survey.survey_arrangement !== null}>
        <summary>{words.surveyOrder}</summary>
        <ArrangementFields
          value={survey.survey_arrangement}
          names={partsOf({ survey, editor }, null).map(({ name }) => name)}
          onChange={saveOrder}
        />
      </details>
      {errorNotice}
      <div class="buttons">
        <button type="button" class="button" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </div>
  );
}

/** The questions over whose options a loop can go: those before its first page. */
function loopSources({ content }: SurveyEditor, firstPageId: number | undefined): LoopSource[] {
  const questions = content.listQuestions();
  const first = content.pages.findIndex(({ page_id: id }) => id === firstPageId);
  const before = first === -1 ? content.pages : content.pages.slice(0, first);
  return before
    .flatMap((page) => content.questionsOn(page))
    .filter(hasPlainOptions)
    .map((question) => ({
      code: question.question_code,
      name: questionName(question.question_code, questions),
      items: itemsOfOptions(question.options),
    }));
}

/** Whether its options are answers themselves, not columns of a table or parts of a sum. */
function hasPlainOptions(question: EditorQuestion): boolean {
  const { options, hasRows, comparison } = studioTypeOf(question);
  return options !== null && !hasRows && comparison.parts === null;
}

function blockInWords(block: Block, blocks: readonly Block[]): string {
  const inner = blocks.filter(({ parent_block_id: id }) => id === block.block_id).length;
  const order = arrangementInWords(block.block_arrangement);
  const arms = block.arms.map(({ arm_label: label, arm_code: code }) => label ?? code);
  return [
    words.contents(block.page_ids.length, inner),
    ...(block.block_loop === null ? [] : [loopInWords(block.block_loop)]),
    ...(order === null ? [] : [order]),
    ...(arms.length === 0 ? [] : [words.armsInShort(arms, block.arm_assignment)]),
  ].join(' · ');
}

/** A new arm has the next letter. */
const newArm = (arms: readonly Arm[]): Arm => {
  const taken = new Set(arms.map(({ arm_code: code }) => code));
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const code = letters.find((letter) => !taken.has(letter)) ?? `arm${arms.length + 1}`;
  return { arm_code: code, arm_label: '', share: 1 };
};

function BlockForm({
  survey,
  editor,
  block,
  onClose,
}: BlocksProps & {
  /** null: a new one. */
  block: Block | null;
  onClose: () => void;
}) {
  const { content } = editor;
  const [title, setTitle] = useState(block?.block_title ?? '');
  const [code, setCode] = useState(block?.block_code ?? '');
  const [pageIds, setPageIds] = useState<readonly number[]>(block?.page_ids ?? []);
  const [arrangement, setArrangement] = useState(block?.block_arrangement ?? null);
  const [arms, setArms] = useState<readonly Arm[]>(block?.arms ?? []);
  const [loop, setLoop] = useState(block?.block_loop ?? null);
  const [assignment, setAssignment] = useState(block?.arm_assignment ?? 'least_filled');
  const [shownTo, setShownTo] = useState<ReadonlyMap<number, string | null>>(
    () => new Map(content.pages.map((page) => [page.page_id, page.shown_to_arm])),
  );
  const questions = content.listQuestions();
  const pages = content.pages.map((page, index) => ({ page, name: pageName(page, index, questions) }));
  const chosen = pages.filter(({ page }) => pageIds.includes(page.page_id));
  const inner = block === null ? [] : partsOf({ survey, editor }, block.block_id);
  const names =
    block !== null && inner.some(({ key }) => key.startsWith('block-'))
      ? inner.map(({ name }) => name)
      : chosen.map(({ name }) => name);
  const isCodeFixed = block !== null && survey.published_version !== null;

  const save = () =>
    changeSurvey(editor, async () => {
      const path = { surveyId: survey.survey_id };
      const body = {
        ...(code.trim() === '' ? {} : { block_code: code.trim() }),
        block_title: title.trim() === '' ? null : title.trim(),
        page_ids: chosen.map(({ page }) => page.page_id),
        block_arrangement: arrangement,
        block_loop: loop,
        arms: arms.map((arm) => ({ ...arm, arm_label: arm.arm_label ?? null })),
        arm_assignment: assignment,
      };
      const codes = new Set(arms.map(({ arm_code: each }) => each));
      // Pages of arms that go are shown to everyone first, because the API refuses a page of an arm that does not exist.
      const freed = (block?.page_ids ?? []).filter((id) => !codes.has(shownTo.get(id) ?? ''));
      for (const pageId of freed) await showTo(pageId, null);
      const saved =
        block === null
          ? await changeApi('post', '/api/surveys/{surveyId}/blocks', { path, body })
          : await changeApi('put', '/api/surveys/{surveyId}/blocks/{blockId}', {
              path: { ...path, blockId: block.block_id },
              body,
            });
      for (const { page } of chosen) {
        const arm = shownTo.get(page.page_id) ?? null;
        if (arm !== null && codes.has(arm)) await showTo(page.page_id, arm);
      }
      return saved;
    });
  const showTo = (pageId: number, arm: string | null) =>
    changeApi('put', '/api/surveys/{surveyId}/pages/{pageId}', {
      path: { surveyId: survey.survey_id, pageId },
      body: { shown_to_arm: arm },
    });
  const changeArm = (index: number, changes: Partial<Arm>) =>
    setArms(arms.map((arm, at) => (at === index ? { ...arm, ...changes } : arm)));

  return (
    <Form
      class="block-form"
      submit={words.save}
      onSubmit={async () => {
        await save();
        onClose();
      }}
      otherButtons={<CancelButton onClose={onClose} />}
    >
      <div class="block-names">
        <label class="labeled">
          {words.name}
          <input
            class="field"
            name="block_title"
            autocomplete="off"
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </label>
        <label class="labeled">
          {words.code}
          <input
            class="field"
            name="block_code"
            autocomplete="off"
            spellcheck={false}
            readOnly={isCodeFixed}
            placeholder={words.codeHint}
            value={code}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </label>
      </div>
      <p class="hint">{isCodeFixed ? words.codeFixed : words.codeAbout}</p>
      <fieldset class="choice-list">
        <legend>{words.pages}</legend>
        {pages.map(({ page, name }) => {
          const isChosen = pageIds.includes(page.page_id);
          const other = survey.blocks.find(
            ({ block_id: id }) => id === page.block_id && id !== block?.block_id,
          );
          return (
            <div key={page.page_id} class="block-page">
              <label class="check">
                <input
                  type="checkbox"
                  checked={isChosen}
                  onChange={({ currentTarget: { checked } }) =>
                    setPageIds(
                      checked ? [...pageIds, page.page_id] : pageIds.filter((id) => id !== page.page_id),
                    )
                  }
                />
                <span>
                  {name}
                  {other !== undefined && !isChosen && (
                    <span class="soft"> {words.inBlock(nameOf(other))}</span>
                  )}
                </span>
              </label>
              {isChosen && arms.length > 0 && (
                <select
                  class="field"
                  aria-label={words.armOf(name)}
                  value={shownTo.get(page.page_id) ?? ''}
                  onChange={({ currentTarget: { value } }) =>
                    setShownTo(new Map([...shownTo, [page.page_id, value === '' ? null : value]]))
                  }
                >
                  <option value="">{words.everyArm}</option>
                  {arms.map((arm) => (
                    <option key={arm.arm_code} value={arm.arm_code}>
                      {words.onlyArm(arm.arm_label ? arm.arm_label : arm.arm_code)}
                    </option>
                  ))}
                </select>
              )}
            </div>
          );
        })}
      </fieldset>
      <fieldset class="block-part">
        <legend>{words.orderTitle}</legend>
        <ArrangementFields value={arrangement} names={names} onChange={setArrangement} />
      </fieldset>
      <fieldset class="block-part">
        <legend>{loopTexts.title}</legend>
        <LoopFields
          value={loop}
          sources={loopSources(editor, chosen[0]?.page.page_id)}
          onChange={(next) => {
            setLoop(next);
            // A loop has no arms.
            if (next !== null) setArms([]);
          }}
        />
      </fieldset>
      <fieldset class="block-part" hidden={loop !== null}>
        <legend>{words.arms}</legend>
        <p class="hint">{words.armsAbout}</p>
        {arms.length > 0 && (
          <table class="arms">
            <thead>
              <tr>
                <th scope="col">{words.armCode}</th>
                <th scope="col">{words.armLabel}</th>
                <th scope="col">{words.share}</th>
                <th>
                  <span class="visually-hidden">{words.removeArm('')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {arms.map((arm, index) => (
                <tr key={index}>
                  <td>
                    <input
                      class="field"
                      aria-label={words.armCodeOf(index + 1)}
                      value={arm.arm_code}
                      onInput={({ currentTarget: { value } }) => {
                        setShownTo(
                          new Map(
                            [...shownTo].map(([id, each]) => [id, each === arm.arm_code ? value : each]),
                          ),
                        );
                        changeArm(index, { arm_code: value });
                      }}
                    />
                  </td>
                  <td>
                    <input
                      class="field"
                      aria-label={words.armLabelOf(index + 1)}
                      value={arm.arm_label ?? ''}
                      onInput={({ currentTarget: { value } }) => changeArm(index, { arm_label: value })}
                    />
                  </td>
                  <td>
                    <input
                      class="field share"
                      inputMode="decimal"
                      aria-label={words.shareOf(index + 1)}
                      value={String(arm.share ?? 1)}
                      onChange={({ currentTarget: { value } }) => changeArm(index, { share: Number(value) })}
                    />
                  </td>
                  <td>
                    <button
                      type="button"
                      class="icon-button"
                      aria-label={words.removeArm(arm.arm_code)}
                      onClick={() => setArms(arms.filter((_, at) => at !== index))}
                    >
                      <Icon name="close" />
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <div>
          <button
            type="button"
            class="button small"
            onClick={() => {
              const first = [...arms, newArm(arms)];
              // One arm alone is no experiment.
              setArms(arms.length === 0 ? [...first, newArm(first)] : first);
            }}
          >
            <Icon name="plus" /> {words.addArm}
          </button>
        </div>
        {arms.length > 0 && (
          <div class="choice-list" role="radiogroup" aria-label={words.assignment}>
            {(['least_filled', 'random'] as const).map((each) => (
              <label key={each} class="check">
                <input
                  type="radio"
                  name="assignment"
                  checked={assignment === each}
                  onChange={() => setAssignment(each)}
                />
                <span>
                  {words.assignments[each]} <span class="soft">{words.assignmentsAbout[each]}</span>
                </span>
              </label>
            ))}
          </div>
        )}
      </fieldset>
    </Form>
  );
}
