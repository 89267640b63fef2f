import type { Question, SurveyDefinition } from '../definition.ts';
import type { PageLogic, Skip } from '../logic/logic.ts';

/** Replaces all ids in a definition, including skip targets. Every id must be in the maps. */
export function remapIds(
  definition: SurveyDefinition,
  pageIds: ReadonlyMap<number, number>,
  questionIds: ReadonlyMap<number, number>,
): SurveyDefinition {
  const skipTo = (skip: Skip): Skip => {
    if (skip.target_id === undefined) return skip;
    const ids = skip.action === 'jump_to_page' ? pageIds : questionIds;
    return { ...skip, target_id: newId(ids, skip.target_id) };
  };
  const withNewTargets = <L extends PageLogic>(logic: L | null): L | null =>
    logic?.skip === undefined ? logic : { ...logic, skip: logic.skip.map(skipTo) };
  return {
    ...definition,
    pages: definition.pages.map((page) => ({
      ...page,
      id: newId(pageIds, page.id),
      logic: withNewTargets(page.logic),
      questions: page.questions.map(
        (question) =>
          ({
            ...question,
            id: newId(questionIds, question.id),
            pageId: newId(pageIds, page.id),
            settings: { ...question.settings, logic: withNewTargets(question.settings.logic) },
          }) as Question,
      ),
    })),
  };
}

function newId(ids: ReadonlyMap<number, number>, id: number): number {
  const found = ids.get(id);
  if (found === undefined) throw new Error(`No new id for ${id}`);
  return found;
}
