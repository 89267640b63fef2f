import { type ComponentChildren, options } from 'preact';
import { useCallback, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { TextAreaField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu, type MenuItem } from '../../../shared/client/menu.tsx';
import { useSelectOnFocus } from '../../../shared/client/select-on-focus.ts';
import { texts } from '../../texts.ts';
import type { LabelListTexts } from '../question-types/question-type.ts';
import { labelsFromText, moveItem } from './editor-content.ts';
import { PipeOverlay } from './piping/piped-text.tsx';
import { hasPipes } from './piping/pipes.ts';
import { insertAtCaret, ReferenceDialog, type ReferenceSource } from './piping/reference-dialog.tsx';
import { type DropPlace, useDrag } from './use-drag.ts';

export interface LabelItem {
  /** Stays the same while the label is edited. */
  key: string;
  label: string;
}

/** Renders what the action changes before it returns, so that the next key reaches the field that gets the focus. */
function renderAtOnce(action: () => void): void {
  const previous = { ...options };
  options.debounceRendering = (render) => render();
  try {
    action();
  } finally {
    delete options.debounceRendering;
    Object.assign(options, previous);
  }
}

/** A list of labels that is edited in place: Enter goes to the next or adds it, several pasted lines add several, Backspace removes an empty one. */
export function LabelList<T extends LabelItem>({
  items,
  labels,
  createItem,
  onChange,
  mark,
  aside,
  menuItems,
  problemAt,
  references,
}: {
  items: readonly T[];
  labels: LabelListTexts;
  createItem: (label: string) => T;
  onChange: (items: readonly T[]) => void;
  /** What respondents see before the label, such as a radio button. */
  mark: ComponentChildren;
  /** After the label. */
  aside?: (item: T) => ComponentChildren;
  menuItems?: (item: T) => readonly MenuItem[];
  problemAt: (index: number) => string | null;
  references: ReferenceSource;
}) {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  /** The item that gets the focus when it is rendered. */
  const focusNext = useRef<string | null>(null);
  /** The item whose label gets a reference. */
  const [referring, setReferring] = useState<string | null>(null);
  const [isAddingSeveral, setAddingSeveral] = useState(false);
  const inputOf = (key: string) =>
    list.current?.querySelector<HTMLInputElement>(`[data-drop-id="${CSS.escape(key)}"] input`) ?? null;
  useLayoutEffect(() => {
    if (focusNext.current === null) return;
    const input = inputOf(focusNext.current);
    if (input === null) return;
    focusNext.current = null;
    input.focus();
  });

  const changeLabel = (key: string, label: string) =>
    onChange(items.map((item) => (item.key === key ? { ...item, label } : item)));
  const insert = (index: number, newLabels: readonly string[]) => {
    const created = newLabels.map(createItem);
    focusNext.current = created.at(-1)?.key ?? null;
    renderAtOnce(() => onChange(items.toSpliced(index, 0, ...created)));
  };
  const replaceAll = (newLabels: readonly string[]) => onChange(newLabels.map(createItem));
  const remove = (index: number) => {
    focusNext.current = items[Math.max(0, index - 1)]?.key ?? null;
    renderAtOnce(() => onChange(items.toSpliced(index, 1)));
  };
  const move = (index: number, to: number) => {
    if (to < 0 || to >= items.length) return;
    focusNext.current = items[index]?.key ?? null;
    renderAtOnce(() => onChange(moveItem(items, index, to)));
  };
  const current = useRef({ items, onChange });
  current.current = { items, onChange };
  const drop = useCallback((key: string, { id: target, edge }: DropPlace) => {
    const { items: all, onChange: change } = current.current;
    const from = all.findIndex((item) => item.key === key);
    const others = all.filter((item) => item.key !== key);
    const index = others.findIndex((item) => item.key === target) + (edge === 'after' ? 1 : 0);
    change(others.toSpliced(index, 0, ...all.slice(from, from + 1)));
  }, []);
  const startDrag = useDrag(id, drop);

  const pressKey = (event: KeyboardEvent & { currentTarget: HTMLInputElement }, index: number) => {
    const isEmpty = event.currentTarget.value === '';
    if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      const next = items[index + 1];
      if (next !== undefined && isUnwritten(next.label)) inputOf(next.key)?.focus();
      else insert(index + 1, ['']);
    } else if (event.key === 'Backspace' && isEmpty && items.length > 1) {
      event.preventDefault();
      remove(index);
    } else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      move(index, index + (event.key === 'ArrowUp' ? -1 : 1));
    }
  };
  /** Whether the author has not written the label yet: it is empty or a name such as "Option 2", whatever its position is now. */
  const isUnwritten = (label: string): boolean =>
    label === '' || label === labels.item(Number(/\d+/.exec(label)?.[0]));
  const selectUnwritten = useSelectOnFocus(isUnwritten);
  const paste = (event: ClipboardEvent & { currentTarget: HTMLInputElement }, index: number) => {
    const text = event.clipboardData?.getData('text') ?? '';
    if (!text.includes('\n')) return;
    event.preventDefault();
    const input = event.currentTarget;
    const isReplaced =
      isUnwritten(input.value) || (input.selectionStart === 0 && input.selectionEnd === input.value.length);
    const pasted = labelsFromText(text);
    const [first, ...rest] = pasted;
    const item = items[index];
    if (first === undefined || item === undefined) return;
    if (!isReplaced) {
      insert(index + 1, pasted);
      return;
    }
    const created = rest.map(createItem);
    focusNext.current = created.at(-1)?.key ?? item.key;
    const kept = items.every(({ label }) => isUnwritten(label)) ? [item] : items;
    onChange(kept.toSpliced(kept.indexOf(item), 1, { ...item, label: first }, ...created));
  };

  return (
    <div class="label-list">
      <ul ref={list} aria-label={labels.title}>
        {items.map((item, index) => {
          const problem = problemAt(index);
          return (
            <li key={item.key} data-drop-group={id} data-drop-id={item.key}>
              <span
                class="grip"
                title={texts.editor.drag}
                onPointerDown={(event) => startDrag(event, item.key)}
              />
              {mark}
              <div class={hasPipes(item.label) ? 'text-line piped' : 'text-line'}>
                <input
                  class="inline-field"
                  value={item.label}
                  placeholder={labels.item(index + 1)}
                  aria-label={labels.item(index + 1)}
                  aria-invalid={problem !== null}
                  {...(problem === null ? {} : { 'aria-describedby': `${id}-${index}` })}
                  autocomplete="off"
                  {...selectUnwritten}
                  onInput={(event) => changeLabel(item.key, event.currentTarget.value)}
                  onKeyDown={(event) => pressKey(event, index)}
                  onPaste={(event) => paste(event, index)}
                />
                <PipeOverlay text={item.label} class="inline-field" listQuestions={references.listAll} />
              </div>
              {aside?.(item)}
              <Menu
                label={labels.actions(index + 1)}
                button={<Icon name="more" />}
                items={[
                  ...(menuItems?.(item) ?? []),
                  { label: texts.editor.piping.insertItem, run: () => setReferring(item.key) },
                  ...(index > 0 ? [{ label: texts.editor.moveUp, run: () => move(index, index - 1) }] : []),
                  ...(index < items.length - 1
                    ? [{ label: texts.editor.moveDown, run: () => move(index, index + 1) }]
                    : []),
                  { label: texts.editor.removeOption, danger: true, run: () => remove(index) },
                ]}
              />
              {problem !== null && (
                <p class="problem" id={`${id}-${index}`}>
                  {problem}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      <button type="button" class="plain add" onClick={() => insert(items.length, [''])}>
        {labels.add}
      </button>
      <button type="button" class="plain add-several" onClick={() => setAddingSeveral(true)}>
        {texts.editor.several.open}
      </button>
      {isAddingSeveral && (
        <SeveralDialog
          onAdd={(added) => {
            if (items.every(({ label }) => isUnwritten(label))) replaceAll(added);
            else insert(items.length, added);
          }}
          onClose={() => setAddingSeveral(false)}
        />
      )}
      {referring !== null && (
        <ReferenceDialog
          earlier={references.listEarlier()}
          onInsert={(reference) => {
            const input = inputOf(referring);
            if (input !== null) insertAtCaret(input, reference, (label) => changeLabel(referring, label));
          }}
          onClose={() => setReferring(null)}
        />
      )}
    </div>
  );
}

/** Adds a label for each line of a text. */
function SeveralDialog({
  onAdd,
  onClose,
}: {
  onAdd: (labels: readonly string[]) => void;
  onClose: () => void;
}) {
  const { several } = texts.editor;
  return (
    <Dialog title={several.title} onClose={onClose}>
      <Form
        submit={several.add}
        onSubmit={(values) => {
          const labels = labelsFromText(values.get('labels') ?? '');
          onClose();
          if (labels.length > 0) onAdd(labels);
          return Promise.resolve();
        }}
        otherButtons={<CancelButton onClose={onClose} />}
      >
        <TextAreaField name="labels" label={several.lines} hint={several.hint} />
      </Form>
    </Dialog>
  );
}
