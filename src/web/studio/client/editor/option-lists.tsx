import { useRef, useState } from 'preact/hooks';
import { texts } from '../../texts.ts';
import type { LabelListTexts, OptionFlag, StudioQuestionType } from '../question-types/question-type.ts';
import { studioTypeOf } from '../question-types/registry.ts';
import { type MatrixRow, rowsOf } from '../question-types/tables.ts';
import { type EditorOption, type EditorQuestion, isFilledOption, newOption } from './editor-content.ts';
import { type LabelItem, LabelList } from './label-list.tsx';
import { ImageDialog } from './image-dialog.tsx';
import type { ReferenceSource } from './piping/reference-dialog.tsx';

interface ListProps {
  question: EditorQuestion;
  /** Message of the API at a field of the request. */
  problemAt: (field: string, label?: string) => string | null;
  references: ReferenceSource;
}

type OptionItem = LabelItem & { option: EditorOption };

/** The options of a question, or the columns of a matrix. */
export function OptionList({
  surveyId,
  question,
  rules,
  isShowingCodes,
  problemAt,
  references,
  nextNumber,
  onChange,
}: ListProps & {
  surveyId: number;
  rules: NonNullable<StudioQuestionType['options']>;
  isShowingCodes: boolean;
  nextNumber: () => number;
  onChange: (options: readonly EditorOption[]) => void;
}) {
  const { options } = question;
  const { flags, hasImages } = rules;
  const [pictured, setPictured] = useState<string | null>(null);
  const items: OptionItem[] = options.map((option) => ({
    key: option.option_value,
    label: option.option_label,
    option,
  }));
  const createItem = (label: string): OptionItem => {
    const option = newOption(nextNumber(), label);
    return { key: option.option_value, label, option };
  };
  const change = (changed: readonly OptionItem[]) =>
    onChange(changed.map(({ label, option }) => ({ ...option, option_label: label })));
  const changeOption = (value: string, changes: Partial<EditorOption>) =>
    onChange(options.map((each) => (each.option_value === value ? { ...each, ...changes } : each)));
  const toggle = (option: EditorOption, flag: OptionFlag) =>
    changeOption(option.option_value, { [flag]: !option[flag] });
  // Empty options are not sent, so the indexes of the API leave them out.
  const sentIndex = (index: number) => options.slice(0, index).filter(isFilledOption).length;
  const problemOf = (index: number) => {
    const field = `options[${sentIndex(index)}]`;
    return problemAt(`${field}.option_label`) ?? problemAt(`${field}.option_image`) ?? problemAt(field);
  };
  const picturedOption = options.find(({ option_value: value }) => value === pictured);
  return (
    <>
      {rules.hasTitle && <p class="list-title">{rules.texts.title}</p>}
      <LabelList
        items={items}
        labels={rules.texts}
        createItem={createItem}
        onChange={change}
        mark={<i class={`mark-shape mark-${rules.mark}`} />}
        aside={({ option }) => (
          <>
            {option.option_image !== null && (
              <img class="option-thumbnail" src={option.option_image} alt="" referrerPolicy="no-referrer" />
            )}
            {flags
              .filter((flag) => option[flag])
              .map((flag) => (
                <span key={flag} class="chip">
                  {texts.editor.flagChips[flag]}
                </span>
              ))}
            {isShowingCodes && <span class="chip code">{texts.editor.optionCode(option.option_code)}</span>}
          </>
        )}
        menuItems={({ option }) => [
          ...flags.map((flag) => ({
            label: `${option[flag] ? '✓ ' : ''}${texts.editor.flags[flag]}`,
            run: () => toggle(option, flag),
          })),
          ...(hasImages
            ? [
                {
                  label: option.option_image === null ? texts.editor.image.add : texts.editor.image.change,
                  run: () => setPictured(option.option_value),
                },
              ]
            : []),
        ]}
        problemAt={problemOf}
        references={references}
      />
      {problemAt('options', rules.texts.title) !== null && (
        <p class="problem">{problemAt('options', rules.texts.title)}</p>
      )}
      {picturedOption !== undefined && (
        <ImageDialog
          surveyId={surveyId}
          label={picturedOption.option_label}
          image={picturedOption.option_image}
          onSave={(image) => changeOption(picturedOption.option_value, { option_image: image })}
          onClose={() => setPictured(null)}
        />
      )}
    </>
  );
}

const ROW_TEXTS: LabelListTexts = {
  title: texts.editor.rows,
  item: texts.editor.row,
  actions: texts.editor.rowActions,
  add: texts.editor.addRow,
};

type RowItem = LabelItem & { row: MatrixRow };

/** Returns the row with a text box if it had none, and without one if it had. */
const withToggledText = ({ row_other: isOther, ...row }: MatrixRow): MatrixRow =>
  isOther === true ? row : { ...row, row_other: true };

/** The rows of a matrix. */
export function RowList({
  question,
  problemAt,
  references,
  onChange,
}: ListProps & { onChange: (rows: readonly MatrixRow[]) => void }) {
  const rows = rowsOf(question);
  const isTable = studioTypeOf(question).hasTableColumns === true;
  /** Several rows are created before the question has the first of them. */
  const created = useRef(0);
  const createItem = (label: string): RowItem => {
    const numbers = rows.map(({ row_code: code }) => Number(/^r(\d+)$/.exec(code)?.[1] ?? 0));
    created.current = Math.max(created.current, ...numbers) + 1;
    const key = `r${created.current}`;
    return { key, label, row: { row_code: key, row_label: label } };
  };
  return (
    <>
      <p class="list-title">{ROW_TEXTS.title}</p>
      <LabelList
        items={rows.map((row): RowItem => ({ key: row.row_code, label: row.row_label, row }))}
        labels={ROW_TEXTS}
        createItem={createItem}
        onChange={(items) => onChange(items.map(({ label, row }) => ({ ...row, row_label: label })))}
        aside={({ row }) =>
          row.row_other === true && <span class="chip">{texts.editor.flagChips.option_other}</span>
        }
        menuItems={({ row }) =>
          isTable
            ? []
            : [
                {
                  label: `${row.row_other === true ? '✓ ' : ''}${texts.editor.flags.option_other}`,
                  run: () => onChange(rows.map((each) => (each === row ? withToggledText(row) : each))),
                },
              ]
        }
        mark={<i class="mark-shape mark-plain" />}
        problemAt={(index) => problemAt(`question_settings.rows[${index}].row_label`)}
        references={references}
      />
    </>
  );
}
