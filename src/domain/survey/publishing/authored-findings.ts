import { authoredId } from '../copy-ids.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../definition.ts';
import { readLoopedCode } from '../loop-codes.ts';
import type { PublishProblem, PublishWarning } from './publish-check.ts';

/**
 * Returns findings about an expanded definition as findings about the authored one: what is wrong with every item of a loop, or with every
 * cell of a table's column, is reported once.
 */
export function authoredFindings<T extends PublishProblem | PublishWarning>(
  findings: readonly T[],
  expanded: SurveyDefinition,
  authored: SurveyDefinition,
): T[] {
  if (expanded === authored) return [...findings];
  const cells = new Map(
    questionsOf(expanded, 'all').flatMap((question) =>
      question.cell === undefined ? [] : [[question.code, question] as const],
    ),
  );
  const codes = new Map(questionsOf(authored, 'all').map(({ id, code }) => [id, code]));
  const authoredCode = (code: string): string => {
    const cell = cells.get(code)?.cell;
    return (cell && codes.get(cell.tableId)) ?? readLoopedCode(code)?.authored ?? code;
  };
  const seen = new Set<string>();
  return findings.flatMap((finding) => {
    const { question_code: code, page_id: pageId } = finding;
    const { field, isCopy } = authoredField(finding.field, expanded, authored);
    const own: T = {
      ...finding,
      field,
      ...(code !== undefined && { question_code: authoredCode(code) }),
      ...(pageId !== undefined && { page_id: authoredId(pageId) }),
    };
    if (!isCopy) return [own];
    const key = `${own.code} ${own.field}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [own];
  });
}

/** Returns where a part of the expanded definition is in the authored one, and whether it is an item's copy or a cell. */
function authoredField(
  field: string,
  expanded: SurveyDefinition,
  authored: SurveyDefinition,
): { field: string; isCopy: boolean } {
  const [, kind, index, rest = ''] = /^(pages|blocks)\[(\d+)\](.*)$/s.exec(field) ?? [];
  if (kind === 'blocks') {
    const block = expanded.blocks[Number(index)];
    if (block === undefined) return { field, isCopy: false };
    const at = `blocks[${indexOfId(authored.blocks, block.id)}]`;
    return {
      field: `${at}${block.item === undefined ? rest : '.block_loop.question_code'}`,
      isCopy: isCopied(block),
    };
  }
  const page = kind === undefined ? undefined : expanded.pages[Number(index)];
  if (page === undefined) return { field, isCopy: false };
  const pageIndex = indexOfId(authored.pages, page.id);
  const [, questionIndex, inQuestion = ''] = /^\.questions\[(\d+)\](.*)$/s.exec(rest) ?? [];
  const question = questionIndex === undefined ? undefined : page.questions[Number(questionIndex)];
  if (question === undefined) return { field: `pages[${pageIndex}]${rest}`, isCopy: isCopied(page) };
  const place = indexOfId(authored.pages[pageIndex]?.questions ?? [], question.id);
  const at = `pages[${pageIndex}].questions[${place}]`;
  return { field: `${at}${fieldOfCell(question, inQuestion)}`, isCopy: isCopied(question) || isCopied(page) };
}

const isCopied = ({ id }: { id: number }): boolean => authoredId(id) !== id;
const indexOfId = (list: readonly { id: number }[], id: number): number =>
  list.findIndex((each) => each.id === authoredId(id));

/** Problems of a cell's settings are those of its column; its logic is that of the table. */
const fieldOfCell = ({ cell }: Question, field: string): string =>
  cell === undefined || field.startsWith('.question_settings.logic')
    ? field
    : `.question_settings.columns.${cell.columnCode}${field.replace('.question_settings', '.column_settings')}`;
