import { Menu, type MenuItem } from '../../../shared/client/menu.tsx';
import type { ComponentChildren } from 'preact';
import type { QuestionType } from './editor-content.ts';
import { EDITOR_TYPE_NAMES, EDITOR_TYPES } from './question-types.ts';

export function TypeIcon({ type }: { type: QuestionType }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={EDITOR_TYPES[type].icon} />
    </svg>
  );
}

/** A menu of all question types, to add a question. */
export function AddQuestionMenu({
  label,
  button,
  buttonClass,
  align,
  onAdd,
}: {
  label: string;
  button: ComponentChildren;
  buttonClass: string;
  align: 'start' | 'end';
  onAdd: (type: QuestionType) => void;
}) {
  const items: MenuItem[] = EDITOR_TYPE_NAMES.map((type) => ({
    label: (
      <>
        <TypeIcon type={type} />
        <span>
          {EDITOR_TYPES[type].label}
          <span class="soft type-about"> {EDITOR_TYPES[type].about}</span>
        </span>
      </>
    ),
    run: () => onAdd(type),
  }));
  return <Menu label={label} button={button} buttonClass={buttonClass} align={align} items={items} />;
}
