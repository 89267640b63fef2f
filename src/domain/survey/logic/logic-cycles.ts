import type { SurveyDefinition } from '../definition.ts';
import { questionsOf } from '../definition.ts';
import { findReferences } from '../publishing/references.ts';

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
