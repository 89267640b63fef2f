import { Dialog } from '../../../shared/client/dialog.tsx';
import { texts } from '../../texts.ts';

const t = texts.responses;

/** Which columns the grid shows, and which of them stay visible while the others scroll. Column codes. */
export interface ColumnChoice {
  hidden: ReadonlySet<string>;
  frozen: ReadonlySet<string>;
}

export const ALL_COLUMNS: ColumnChoice = { hidden: new Set(), frozen: new Set() };

/** More would leave no room for the others. */
const MAX_FROZEN = 3;

function withMember(set: ReadonlySet<string>, code: string, isMember: boolean): ReadonlySet<string> {
  const changed = new Set(set);
  if (isMember) changed.add(code);
  else changed.delete(code);
  return changed;
}

export function ColumnsDialog({
  columns,
  choice,
  onChange,
  onClose,
}: {
  columns: readonly { code: string; label: string; canFreeze: boolean }[];
  choice: ColumnChoice;
  onChange: (choice: ColumnChoice) => void;
  onClose: () => void;
}) {
  const { hidden, frozen } = choice;
  return (
    <Dialog title={t.columns} onClose={onClose}>
      <p>{t.columnsAbout}</p>
      <ul class="column-choice" aria-label={t.columns}>
        {columns.map(({ code, label, canFreeze }) => (
          <li key={code}>
            <label class="check">
              <input
                type="checkbox"
                checked={!hidden.has(code)}
                onChange={(event) =>
                  onChange({ ...choice, hidden: withMember(hidden, code, !event.currentTarget.checked) })
                }
              />
              <span>{label}</span>
            </label>
            {canFreeze && (
              <button
                type="button"
                class="plain"
                aria-pressed={frozen.has(code)}
                aria-label={t.freezeColumn(label)}
                disabled={hidden.has(code) || (!frozen.has(code) && frozen.size >= MAX_FROZEN)}
                onClick={() => onChange({ ...choice, frozen: withMember(frozen, code, !frozen.has(code)) })}
              >
                {frozen.has(code) ? t.frozen : t.freeze}
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button type="button" class="button primary" onClick={onClose}>
          {t.done}
        </button>
        <button type="button" class="button" onClick={() => onChange(ALL_COLUMNS)}>
          {t.showAll}
        </button>
      </div>
    </Dialog>
  );
}
