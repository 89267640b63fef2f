import type { ComponentChildren } from 'preact';
import { Menu, type MenuItem } from '../../../shared/client/menu.tsx';
import type { QuestionType } from '../question-types/question-type.ts';
import { listStudioTypes, studioTypeOf } from '../question-types/registry.ts';

export function TypeIcon({ type }: { type: QuestionType }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={studioTypeOf({ question_type: type }).icon} />
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
  otherItems = [],
}: {
  label: string;
  button: ComponentChildren;
  buttonClass: string;
  align: 'start' | 'end';
  onAdd: (type: QuestionType) => void;
  otherItems?: readonly MenuItem[];
}) {
  const items: MenuItem[] = listStudioTypes().map(({ name, label: typeLabel, about }) => ({
    label: (
      <>
        <TypeIcon type={name} />
        <span>
          {typeLabel}
          <span class="soft type-about"> {about}</span>
        </span>
      </>
    ),
    run: () => onAdd(name),
  }));
  return (
    <Menu
      label={label}
      button={button}
      buttonClass={buttonClass}
      align={align}
      items={[...items, ...otherItems]}
    />
  );
}
