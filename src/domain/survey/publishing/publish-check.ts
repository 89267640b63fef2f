import { typeOf } from '../../questions/registry.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../definition.ts';
import { codeProblem, columnCollisions, columnCount } from '../questions/question-codes.ts';
import type { PublishProblem } from './publish-problem.ts';
import { findReferenceProblems } from './reference-check.ts';
import { findReferences } from './references.ts';

/** The column limit of Excel. */
const MAX_COLUMNS = 16_384;

interface LocatedQuestion {
  question: Question;
  field: string;
}

function locateLiveQuestions(definition: SurveyDefinition): LocatedQuestion[] {
  return definition.pages.flatMap((page, pageIndex) =>
    page.questions.flatMap((question, index) =>
      page.retired || question.retired
        ? []
        : [{ question, field: `pages[${pageIndex}].questions[${index}]` }],
    ),
  );
}

function emptySurveyProblems(
  located: readonly LocatedQuestion[],
  definition: SurveyDefinition,
): PublishProblem[] {
  if (located.some(({ question }) => !question.settings.hidden)) return [];
  const hasPage = definition.pages.some(({ retired }) => !retired);
  const message = hasPage ? 'The survey asks no question' : 'The survey has no page';
  return [{ code: 'empty_survey', message, field: '' }];
}

/** Checks that codes are valid and unique, and that no column occurs twice. Includes retired questions, which keep their columns. */
function codeProblems(located: readonly LocatedQuestion[], definition: SurveyDefinition): PublishProblem[] {
  const fields = new Map(located.map(({ question, field }) => [question, `${field}.question_code`]));
  const problems: PublishProblem[] = [];
  const columns = questionsOf(definition, 'all').reduce((sum, question) => sum + columnCount(question), 0);
  if (columns > MAX_COLUMNS) {
    const message = `The data would have ${columns} columns; at most ${MAX_COLUMNS} are allowed`;
    return [{ code: 'too_many_columns', message, field: '' }];
  }
  for (const [question, field] of fields) {
    const message = codeProblem(question.code);
    if (message !== null)
      problems.push({ code: 'invalid_code', message, field, question_code: question.code });
  }
  for (const { columnCode, questions } of columnCollisions(questionsOf(definition, 'all'))) {
    const [first, second] = questions;
    const shown = second !== undefined && fields.has(second) ? second : first;
    const field = fields.get(shown) ?? '';
    if (second === undefined) {
      const message = `${first.code} would have a column ${columnCode}, which every response has already`;
      problems.push({ code: 'column_collision', message, field, question_code: first.code });
    } else if (first.code.toLowerCase() === second.code.toLowerCase()) {
      if (columnCode.toLowerCase() !== first.code.toLowerCase()) continue;
      const message = `two questions have the code ${first.code}${first.code === second.code ? '' : ` (${second.code})`}`;
      problems.push({ code: 'duplicate_code', message, field, question_code: shown.code });
    } else {
      const message = `${first.code} and ${second.code} would both have a column ${columnCode}`;
      problems.push({ code: 'column_collision', message, field, question_code: shown.code });
    }
  }
  return problems;
}

function optionProblems({ question, field }: LocatedQuestion): PublishProblem[] {
  const { options: rules } = typeOf(question);
  if (rules === null) return [];
  const live = question.options.filter(({ retired }) => !retired);
  if (live.length === 0) {
    return [
      {
        code: 'options_missing',
        message: `${question.code} must have at least 1 ${rules.noun}`,
        field: `${field}.options`,
        question_code: question.code,
      },
    ];
  }
  const least = rules.minimum(question);
  const together = live.filter(({ exclusive }) => !exclusive).length;
  if (least === null || least.count <= together) return [];
  return [
    {
      code: 'impossible_settings',
      message: `${least.name} must be at most ${together}, the number of options that can be selected together, not ${least.count}`,
      field: `${field}.question_settings.${least.name}`,
      question_code: question.code,
    },
  ];
}

function questionProblems(located: LocatedQuestion): PublishProblem[] {
  const { question, field } = located;
  const problems = typeOf(question).settingsProblems(question.settings);
  const settings = problems.map((problem): PublishProblem => ({
    code: 'impossible_settings',
    message: problem.message,
    field: `${field}.question_settings.${problem.field}`,
    question_code: question.code,
  }));
  return [...optionProblems(located), ...settings];
}

function cycleProblems(located: readonly LocatedQuestion[], definition: SurveyDefinition): PublishProblem[] {
  return findLogicCycles(definition).map((cycle) => {
    const code = cycle[0]!;
    const field = located.find(({ question }) => question.code === code)?.field;
    return {
      code: 'logic_cycle',
      message: `the display logic of ${code} depends on itself: ${[...cycle, code].join(' → ')}`,
      field: `${field}.question_settings.logic`,
      question_code: code,
    };
  });
}

/** Returns all problems that prevent publishing; empty if there are none. */
export function findPublishProblems(definition: SurveyDefinition): PublishProblem[] {
  const located = locateLiveQuestions(definition);
  return [
    ...emptySurveyProblems(located, definition),
    ...codeProblems(located, definition),
    ...located.flatMap(questionProblems),
    ...findReferenceProblems(definition),
    ...cycleProblems(located, definition),
  ];
}

/**
 * Finds cycles in display logic, each as question codes (`["Q1","Q3"]`: Q1 needs Q3, Q3 needs Q1). A page's conditions count for each of
 * its questions. A question occurs in at most one cycle.
 */
export function findLogicCycles(definition: SurveyDefinition): string[][] {
  const needs = new Map<string, Set<string>>(
    questionsOf(definition).map(({ code }) => [code, new Set<string>()]),
  );
  for (const { page, question, location, target } of findReferences(definition)) {
    if (target.kind !== 'question' || location === 'skip' || location === 'piping') continue;
    const dependants = question ? [question] : page.questions.filter(({ retired }) => !retired);
    for (const { code } of dependants) if (needs.has(target.code)) needs.get(code)?.add(target.code);
  }

  const cycles: string[][] = [];
  const done = new Set<string>();
  for (const start of needs.keys()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    // Uses an explicit stack: a chain of 2,000 questions must not exhaust the call stack.
    const stack: { code: string; left: string[] }[] = [];
    const push = (code: string) => {
      path.push(code);
      onPath.add(code);
      stack.push({ code, left: [...needs.get(code)!] });
    };
    if (!done.has(start)) push(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.left.pop();
      if (next === undefined) {
        stack.pop();
        path.pop();
        onPath.delete(top.code);
        done.add(top.code);
      } else if (onPath.has(next)) {
        cycles.push(path.slice(path.indexOf(next)));
      } else if (!done.has(next)) {
        push(next);
      }
    }
  }
  return withoutOverlaps(cycles);
}

function withoutOverlaps(cycles: string[][]): string[][] {
  const seen = new Set<string>();
  return cycles.filter((cycle) => {
    if (cycle.some((code) => seen.has(code))) return false;
    for (const code of cycle) seen.add(code);
    return true;
  });
}
