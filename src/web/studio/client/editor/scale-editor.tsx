import { useId, useRef } from 'preact/hooks';
import { texts } from '../../texts.ts';
import { labelPoint, MAX_EDITED_POINTS, resizeScale } from '../question-types/numbers.ts';
import type { QuestionSettings, ScalePoint } from '../question-types/question-type.ts';
import { labelsFromText } from './editor-content.ts';

const words = texts.editor.scale;
const DISPLAYS = ['numbers', 'stars', 'smileys'] as const;

/** The points of a scale with their labels, as respondents read them; their number, and how they look. */
export function ScaleEditor({
  points,
  settings,
  isActive,
  problemAt,
  onChange,
  onAddDontKnow,
}: {
  points: readonly ScalePoint[];
  settings: QuestionSettings;
  /** Whether number, looks and "Don't know" are offered. */
  isActive: boolean;
  /** Message of the API at a field of the request. */
  problemAt: (field: string, label: string) => string | null;
  /** Changes settings. */
  onChange: (settings: Record<string, unknown>) => void;
  onAddDontKnow: () => void;
}) {
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const first = points[0]?.point ?? 1;
  const problems = [
    problemAt('question_settings.min', texts.editor.settings.names.min),
    problemAt('question_settings.max', texts.editor.settings.names.max),
    problemAt('question_settings.step', texts.editor.settings.names.step),
    problemAt('question_settings.point_labels', words.labels),
    ...(['min_label', 'mid_label', 'max_label'] as const).map((name) =>
      problemAt(`question_settings.${name}`, texts.editor.settings.names[name]),
    ),
  ].filter((problem) => problem !== null);
  const counts = [...new Set([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, points.length])].sort((a, b) => a - b);
  const starts = [...new Set([0, 1, first])].sort((a, b) => a - b);
  const focusPoint = (index: number) => list.current?.querySelectorAll('input')[index]?.focus();

  const pasteLabels = (event: ClipboardEvent, index: number) => {
    const text = event.clipboardData?.getData('text') ?? '';
    if (!text.includes('\n')) return;
    event.preventDefault();
    const labels = labelsFromText(text).slice(0, MAX_EDITED_POINTS - index);
    const count = Math.max(points.length, index + labels.length);
    let changed = { ...settings, ...(count > points.length ? resizeScale(settings, first, count) : {}) };
    for (const [order, label] of labels.entries())
      changed = { ...changed, ...labelPoint(changed, index + order, label) };
    const { min, max, point_labels, min_label, mid_label, max_label } = changed as QuestionSettings;
    onChange({ min, max, point_labels, min_label, mid_label, max_label });
  };

  return (
    <div class="scale-editor">
      <ol ref={list} aria-label={words.labels}>
        {points.map(({ point, label }, index) => (
          <li key={point}>
            <span class="scale-point" aria-hidden="true">
              {point}
            </span>
            <input
              class="inline-field"
              aria-label={words.labelOf(point)}
              placeholder={words.labelHint}
              value={label}
              autocomplete="off"
              onInput={(event) => onChange(labelPoint(settings, index, event.currentTarget.value))}
              onPaste={(event) => pasteLabels(event, index)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.isComposing) return;
                event.preventDefault();
                focusPoint(index + 1);
              }}
            />
          </li>
        ))}
      </ol>
      {problems.map((problem) => (
        <p key={problem} class="problem">
          {problem}
        </p>
      ))}
      {isActive && (
        <div class="scale-bar">
          <label for={`${id}-count`}>{words.count}</label>
          <select
            id={`${id}-count`}
            class="field"
            value={String(points.length)}
            onChange={(event) => onChange(resizeScale(settings, first, Number(event.currentTarget.value)))}
          >
            {counts.map((count) => (
              <option key={count} value={String(count)}>
                {count}
              </option>
            ))}
          </select>
          <label for={`${id}-first`}>{words.first}</label>
          <select
            id={`${id}-first`}
            class="field"
            value={String(first)}
            onChange={(event) =>
              onChange(resizeScale(settings, Number(event.currentTarget.value), points.length))
            }
          >
            {starts.map((start) => (
              <option key={start} value={String(start)}>
                {start}
              </option>
            ))}
          </select>
          <div class="segments" role="group" aria-label={words.display}>
            {DISPLAYS.map((display) => (
              <button
                key={display}
                type="button"
                aria-pressed={(settings.display ?? 'numbers') === display}
                onClick={() => onChange({ display })}
              >
                {words.displays[display]}
              </button>
            ))}
          </div>
          <button type="button" class="plain" onClick={onAddDontKnow}>
            {words.addDontKnow}
          </button>
        </div>
      )}
    </div>
  );
}
