import type { EditorQuestion } from '../editor-content.ts';
import { hasPipes, partsOf, pipeName } from './pipes.ts';
import './piping.css';

/** A text with its placeholders as chips. */
export function PipedText({ text, questions }: { text: string; questions: readonly EditorQuestion[] }) {
  return (
    <>
      {partsOf(text).map((part, index) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          <span key={index} class="pipe-chip">
            {pipeName(part.pipe, questions)}
          </span>
        ),
      )}
    </>
  );
}

/** Lies over a text field without the focus, so that its placeholders are chips. Screen readers read the field. */
export function PipeOverlay({
  text,
  class: className,
  listQuestions,
}: {
  text: string;
  class: string;
  listQuestions: () => readonly EditorQuestion[];
}) {
  if (!hasPipes(text)) return null;
  return (
    <div class={`pipe-overlay ${className}`} aria-hidden="true">
      <PipedText text={text} questions={listQuestions()} />
    </div>
  );
}
