import type { ComponentChildren } from 'preact';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu, type MenuItem } from '../../../shared/client/menu.tsx';
import { texts } from '../../texts.ts';
import type { QuestionType } from '../question-types/question-type.ts';
import { listStudioTypes, studioTypeOf } from '../question-types/registry.ts';

export function TypeIcon({ type }: { type: QuestionType }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={studioTypeOf({ question_type: type }).icon} />
    </svg>
  );
}

/** The type of a question; opens the list of types, to change it. */
export function TypeMenu({
  question: { question_type: current },
  number,
  onChoose,
}: {
  question: { question_type: QuestionType };
  /** Position in the survey, from 1. */
  number: number;
  onChoose: (type: QuestionType) => void;
}) {
  const { label } = studioTypeOf({ question_type: current });
  return (
    <Menu
      label={texts.editor.changeType.button(label, number)}
      button={
        <>
          <TypeIcon type={current} />
          {label}
          <Icon name="down" />
        </>
      }
      buttonClass="type-name"
      align="start"
      items={listStudioTypes().map(({ name, label: typeLabel }) => ({
        label: (
          <>
            <TypeIcon type={name} />
            {typeLabel}
          </>
        ),
        checked: name === current,
        run: () => onChoose(name),
      }))}
    />
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
