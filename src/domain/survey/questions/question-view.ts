import { hashOf, randomNumbers } from '../../../lib/seeded-random.ts';
import type { QuestionRow } from '../../questions/question-type.ts';
import { codecFor } from '../../questions/registry.ts';
import type { Option, Question } from '../definition.ts';
import { textsIn, type TranslatedTexts, translationFor } from '../logic/localize.ts';

/** Texts around the input, by setting name. */
interface QuestionLabels {
  min_label: string | null;
  mid_label: string | null;
  max_label: string | null;
  prefix: string | null;
  suffix: string | null;
  other_label: string | null;
  /** Of a scale, by point. */
  points: ReadonlyMap<string, string>;
}

/** A question rendered for one respondent: translated, piped and ordered. */
export interface QuestionView {
  question: Question;
  text: string;
  description: string | null;
  placeholder: string | null;
  /** The offered options; for a matrix, its columns. */
  options: Option[];
  /** Of a matrix. */
  rows: QuestionRow[];
  labels: QuestionLabels;
  /** The question's translation, which determines the texts that are in the respondent's language. */
  texts: TranslatedTexts;
}

interface QuestionRenderContext {
  language: string | null;
  seed: string;
  fill: (text: string) => string;
}

/**
 * Renders a question for one respondent: translated, with piped texts, options in shuffled order. `options` are those left by logic; the
 * same seed gives the same order.
 */
export function renderQuestion(
  question: Question,
  options: readonly Option[],
  { language, seed, fill }: QuestionRenderContext,
): QuestionView {
  const { settings } = question;
  const texts = textsIn(translationFor(settings.translations, language));
  const own = (key: string, original: string | null): string | null => {
    const text = texts.text(key, original);
    return text === null ? null : fill(text);
  };
  const ordered = shuffleItems(options, settings.shuffle, `${seed} ${question.code}`, ({ anchor }) => anchor);
  return {
    question,
    text: fill(texts.text('question_text', question.text)),
    description: own('description', settings.description),
    placeholder: own('placeholder', settings.placeholder),
    options: ordered.map((option) => ({
      ...option,
      label: fill(texts.entry('options', String(option.code), option.label)),
    })),
    rows: orderedRows(question, seed).map(({ row_code: code, row_label: label }) => ({
      row_code: code,
      row_label: fill(texts.entry('rows', code, label)),
    })),
    labels: {
      min_label: own('min_label', 'min_label' in settings ? settings.min_label : null),
      mid_label: own('mid_label', 'mid_label' in settings ? settings.mid_label : null),
      max_label: own('max_label', 'max_label' in settings ? settings.max_label : null),
      prefix: own('prefix', 'prefix' in settings ? settings.prefix : null),
      suffix: own('suffix', 'suffix' in settings ? settings.suffix : null),
      other_label: own('other_label', 'other_label' in settings ? settings.other_label : null),
      points: new Map(
        Object.entries(('point_labels' in settings ? settings.point_labels : null) ?? {}).map(
          ([point, label]) => [point, fill(texts.entry('point_labels', point, label))],
        ),
      ),
    },
    texts,
  };
}

function orderedRows(question: Question, seed: string): readonly QuestionRow[] {
  const codec = codecFor(question);
  const order = codec.shufflesRows(question) ? 'random' : 'none';
  return shuffleItems(codec.rows(question), order, `${seed} ${question.code} rows`);
}

/** `random`: any order; `rotate`: the original order from a random start; `reverse`: half of the respondents see the reverse order. */
type ShuffleMode = 'none' | 'random' | 'rotate' | 'reverse';

function reordered<T>(items: readonly T[], mode: Exclude<ShuffleMode, 'none'>, seed: number): T[] {
  const random = randomNumbers(seed);
  switch (mode) {
    case 'reverse':
      return random() < 0.5 ? [...items] : [...items].reverse();
    case 'rotate': {
      const start = Math.floor(random() * items.length);
      return [...items.slice(start), ...items.slice(0, start)];
    }
    case 'random': {
      const order = [...items];
      for (let last = order.length - 1; last > 0; last--) {
        const other = Math.floor(random() * (last + 1));
        [order[last], order[other]] = [order[other]!, order[last]!];
      }
      return order;
    }
  }
}

/** Returns the items in the order of the seed; anchored items keep their positions. The same seed always gives the same order. */
export function shuffleItems<T>(
  items: readonly T[],
  mode: ShuffleMode,
  seed: string,
  isAnchored: (item: T) => boolean = () => false,
): readonly T[] {
  if (mode === 'none') return items;
  const reorderedItems = reordered(
    items.filter((item) => !isAnchored(item)),
    mode,
    hashOf(seed),
  );
  let next = 0;
  return items.map((item) => (isAnchored(item) ? item : reorderedItems[next++]!));
}
