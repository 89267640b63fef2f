import type { SurveyScope } from '../../domain/access/scopes.ts';
import { unknownObject } from '../../lib/error-messages.ts';
import type { Clock } from '../../lib/clock.ts';
import { invalidFields } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { LinkRow, NewLink } from '../../repositories/links.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { lockSurvey, surveyAuditEntry } from '../surveys/survey-lock.ts';
import { LINK_TOKEN_CHARACTERS, requireWavesOfSurvey } from './links.ts';

export type LinkBatchAction = 'pause' | 'activate' | 'delete';

const AUDIT_ACTIONS = {
  pause: 'links_paused',
  activate: 'links_activated',
  delete: 'links_deleted',
} as const;
const MAX_DETAILS = 100;

/** Creates and changes many links of a survey, all or none. */
export class LinkBatchService {
  constructor(
    private readonly store: Store,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** `fieldOf`: the request field of a link's wave, by the link's index. */
  create(
    scope: SurveyScope,
    links: readonly NewLink[],
    fieldOf: (index: number) => string,
  ): Promise<LinkRow[]> {
    const tokens = this.ids.token(LINK_TOKEN_CHARACTERS * links.length);
    const tokenOf = (index: number) =>
      tokens.slice(index * LINK_TOKEN_CHARACTERS, (index + 1) * LINK_TOKEN_CHARACTERS);
    const named = links.map((link, index) => ({ ...link, token: tokenOf(index) }));
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const waves = links.map(({ waveId }, index) => ({ field: fieldOf(index), waveId }));
      await requireWavesOfSurvey(repositories, scope, waves);
      const created = await repositories.links.createMany(scope, named, this.clock.now());
      await repositories.audit.record(surveyAuditEntry(scope, 'links_created', { count: created.length }));
      return created;
    });
  }

  /** Returns the number of links. */
  change(scope: SurveyScope, action: LinkBatchAction, linkIds: readonly number[]): Promise<number> {
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const known = await repositories.links.lock(scope, linkIds);
      const unknown = linkIds.flatMap((id, index) => (known.has(id) ? [] : [{ id, index }]));
      if (unknown.length > 0) {
        throw invalidFields(
          unknown.slice(0, MAX_DETAILS).map(({ id, index }) => ({
            field: `link_ids[${index}]`,
            message: unknownObject('link', id, 'in this survey'),
          })),
        );
      }
      await changeAll(repositories, scope, action, [...known]);
      await repositories.audit.record(surveyAuditEntry(scope, AUDIT_ACTIONS[action], { count: known.size }));
      return known.size;
    });
  }
}

async function changeAll(
  { links }: Repositories,
  scope: SurveyScope,
  action: LinkBatchAction,
  linkIds: readonly number[],
): Promise<void> {
  if (action === 'delete') await links.delete(scope, linkIds);
  else await links.setState(scope, linkIds, action === 'pause' ? 'paused' : 'active');
}
