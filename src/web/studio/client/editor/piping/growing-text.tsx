import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from '../../../../shared/client/icon.tsx';
import { texts } from '../../../texts.ts';
import { PipeOverlay } from './piped-text.tsx';
import { hasPipes } from './pipes.ts';
import { insertAtCaret, ReferenceDialog, type ReferenceSource } from './reference-dialog.tsx';

const words = texts.editor.piping;

/** A text box without a frame that is as high as its text. Its button inserts a reference to an earlier answer. */
export function GrowingText({
  label,
  placeholder,
  value,
  problem = null,
  references,
  onInput,
  class: className,
}: {
  label: string;
  placeholder: string;
  value: string;
  problem?: string | null;
  references: ReferenceSource;
  onInput: (value: string) => void;
  class: string;
}) {
  const id = useId();
  const element = useRef<HTMLTextAreaElement>(null);
  const [isInserting, setInserting] = useState(false);
  useEffect(() => {
    // Browsers without `field-sizing: content`.
    const textarea = element.current;
    if (textarea === null || CSS.supports('field-sizing', 'content')) return;
    textarea.style.height = 'auto';
    textarea.style.height = `${textarea.scrollHeight}px`;
  }, [value]);
  return (
    <div>
      <div class={hasPipes(value) ? 'text-line piped' : 'text-line'}>
        <textarea
          ref={element}
          rows={1}
          class={`inline-field ${className}`}
          aria-label={label}
          placeholder={placeholder}
          value={value}
          aria-invalid={problem !== null}
          {...(problem === null ? {} : { 'aria-describedby': id })}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <PipeOverlay text={value} class={`inline-field ${className}`} listQuestions={references.listAll} />
        <button
          type="button"
          class="icon-button insert-reference"
          aria-label={words.title}
          title={words.title}
          onClick={() => setInserting(true)}
        >
          <Icon name="reference" />
        </button>
      </div>
      {problem !== null && (
        <p class="problem" id={id}>
          {problem}
        </p>
      )}
      {isInserting && (
        <ReferenceDialog
          earlier={references.listEarlier()}
          onInsert={(reference) => {
            if (element.current !== null) insertAtCaret(element.current, reference, onInput);
          }}
          onClose={() => setInserting(false)}
        />
      )}
    </div>
  );
}
