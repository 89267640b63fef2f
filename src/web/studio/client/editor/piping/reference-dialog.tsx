import { useRef, useState } from 'preact/hooks';
import type { Pipe } from '../../../../../domain/survey/logic/piping.ts';
import { afterDialogs, Dialog } from '../../../../shared/client/dialog.tsx';
import { CancelButton, Form } from '../../../../shared/client/form.tsx';
import { texts } from '../../../texts.ts';
import type { EditorQuestion } from '../editor-content.ts';
import { partsOf, textInWords, writePipe } from './pipes.ts';

const words = texts.editor.piping;
const MAX_FALLBACK = 200;
/** More questions can be searched. */
const FEW = 5;

/** What a text can refer to. The functions are called when the dialog opens, because the survey changes. */
export interface ReferenceSource {
  /** Questions that come before the text. */
  listEarlier: () => readonly EditorQuestion[];
  listAll: () => readonly EditorQuestion[];
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Writes a reference at the caret of the field, and sets the focus behind it. */
export function insertAtCaret(field: TextField, reference: string, onInput: (value: string) => void): void {
  const { value } = field;
  const start = field.selectionStart ?? value.length;
  onInput(value.slice(0, start) + reference + value.slice(field.selectionEnd ?? start));
  const caret = start + reference.length;
  afterDialogs(() => {
    field.focus();
    field.setSelectionRange(caret, caret);
  });
}

/** Values that are no answers, by the value of their radio button. Codes of questions begin with a letter. */
const VALUES = {
  '~name': words.respondentName,
  '~hidden': words.hidden,
  '~attribute': words.attribute,
} as const;
type ValueChoice = keyof typeof VALUES;

function pipeFor(choice: string, name: string, fallback: string): Pipe {
  const rest = fallback.trim() === '' ? {} : { fallback: fallback.trim() };
  if (choice === '~name') return { kind: 'respondent', field: 'name', ...rest };
  if (choice === '~hidden') return { kind: 'hidden', name, ...rest };
  if (choice === '~attribute') return { kind: 'attribute', name, ...rest };
  return { kind: 'question', code: choice, form: 'label', ...rest };
}

/** Chooses an earlier answer or another value, and writes the reference to it. */
export function ReferenceDialog({
  earlier,
  onInsert,
  onClose,
}: {
  earlier: readonly EditorQuestion[];
  onInsert: (reference: string) => void;
  onClose: () => void;
}) {
  const [search, setSearch] = useState('');
  const [choice, setChoice] = useState<string>(earlier.at(-1)?.question_code ?? '~name');
  const [problem, setProblem] = useState<string | null>(null);
  const name = useRef<HTMLInputElement>(null);
  const matches = (text: string) => text.toLowerCase().includes(search.trim().toLowerCase());
  const found = earlier
    .map((question) => ({
      code: question.question_code,
      label: textInWords(question.question_text, earlier),
    }))
    .filter(({ label, code }) => matches(label) || matches(code));
  const values = (Object.entries(VALUES) as [ValueChoice, string][]).filter(([, label]) => matches(label));
  const hasSearch = earlier.length > FEW;
  const needsName = choice === '~hidden' || choice === '~attribute';

  const insert = (fallback: string, enteredName: string) => {
    const reference = writePipe(pipeFor(choice, enteredName, fallback));
    const [part, ...others] = partsOf(reference);
    if (part?.kind !== 'pipe' || others.length > 0) {
      setProblem(/[{}|]/.test(fallback) ? words.badFallback : words.badName);
      name.current?.focus();
      return;
    }
    onClose();
    onInsert(reference);
  };
  const radio = (value: string, label: string, about: string) => (
    <label key={value} class="check">
      <input
        type="radio"
        name="reference"
        value={value}
        checked={value === choice}
        autofocus={!hasSearch && value === choice}
        onChange={() => {
          setChoice(value);
          setProblem(null);
        }}
      />
      <span>
        {label} {about !== '' && <span class="soft">{about}</span>}
      </span>
    </label>
  );
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form
        submit={words.insert}
        onSubmit={(entered) => {
          insert(entered.get('fallback') ?? '', (entered.get('name') ?? '').trim());
          return Promise.resolve();
        }}
        otherButtons={<CancelButton onClose={onClose} />}
      >
        {hasSearch && (
          <input
            class="field"
            type="search"
            autofocus
            aria-label={words.search}
            placeholder={words.search}
            autocomplete="off"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <div class="choice-list" role="radiogroup" aria-label={words.list}>
          {found.map(({ code, label }) => radio(code, label || code, code))}
          {values.map(([value, label]) => radio(value, label, ''))}
          {found.length + values.length === 0 && <p class="hint">{words.noMatch}</p>}
        </div>
        {needsName && (
          <label class="labeled">
            <span>{choice === '~hidden' ? words.hiddenName : words.attributeName}</span>
            <input
              ref={name}
              class="field"
              name="name"
              autocomplete="off"
              aria-invalid={problem !== null}
              onInput={() => setProblem(null)}
            />
          </label>
        )}
        <label class="labeled">
          <span>{words.fallback}</span>
          <input class="field" name="fallback" autocomplete="off" maxLength={MAX_FALLBACK} />
        </label>
        {problem !== null && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </Form>
    </Dialog>
  );
}
