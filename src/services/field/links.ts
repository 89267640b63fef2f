import type { LinkState, LinkType } from '../../domain/survey/status.ts';
import type { SurveyScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import type { Clock } from '../../lib/clock.ts';
import { alreadyUsed, cannotChange, onlyAllowed, unknownObject } from '../../lib/error-messages.ts';
import { conflict, invalid, invalidFields, notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import { findFreeSlug } from '../../lib/slugs.ts';
import type {
  LinkFields,
  LinkListPage,
  LinkRow,
  LinkSearch,
  ListedLinkRow,
  NewLink,
} from '../../repositories/links.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { RESERVATION_TTL_SECONDS } from '../collection/link-reservations.ts';
import { lockSurvey, surveyAuditEntry } from '../surveys/survey-lock.ts';

const MAX_DETAILS = 100;

/** 119 bits, so tokens cannot be guessed. */
export const LINK_TOKEN_CHARACTERS = 20;

/** The changes of a link; undefined: unchanged. Redirects change one by one; null removes all of them. */
interface LinkChanges {
  name: string | undefined;
  slug: string | null | undefined;
  quota: number | null | undefined;
  expiresAt: Date | null | undefined;
  /** May be sent, but must equal the current type. */
  type: LinkType | undefined;
  state: LinkState | undefined;
  redirects: LinkFields['redirects'] | null | undefined;
  waveId: number | null | undefined;
  requiresSignature: boolean | undefined;
}

/** The links of a survey. */
export class LinkService {
  constructor(
    private readonly store: Store,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** The current time, which determines the status of links. */
  now(): Date {
    return this.clock.now();
  }

  /** Lists the links of a workspace, or of one of its surveys. */
  list(
    scope: WorkspaceScope,
    search: Omit<LinkSearch, 'now'>,
    part: LinkListPage,
  ): Promise<{ found: ListedLinkRow[]; total: number }> {
    return this.store.read.links.list(scope, { ...search, now: this.now() }, part);
  }

  async get(scope: SurveyScope, linkId: number): Promise<LinkRow> {
    return this.findLink(this.store.read, scope, linkId);
  }

  async create(scope: SurveyScope, input: NewLink): Promise<LinkRow> {
    requirePanelForSignature(input.requiresSignature, input.type, 'requires_signature');
    requireSharedForSlug(input.slug, input.type, 'link_slug');
    const token = this.ids.token(LINK_TOKEN_CHARACTERS);
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      await requireWavesOfSurvey(repositories, scope, [{ field: 'wave_id', waveId: input.waveId }]);
      await claimSlug(repositories, scope, { slug: input.slug, field: 'link_slug' });
      const link = await repositories.links.create(scope, { ...input, token }, this.now());
      await repositories.audit.record(
        linkAuditEntry({ by: scope, action: 'created', objectId: link.link_id }),
      );
      return link;
    });
  }

  async update(scope: SurveyScope, linkId: number, changes: LinkChanges): Promise<LinkRow> {
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      await repositories.links.lock(scope, [linkId]);
      const link = await this.findLink(repositories, scope, linkId);
      if (changes.type !== undefined && changes.type !== link.link_type) {
        throw invalid(
          'link_type',
          `${cannotChange(`this link is of type ${link.link_type}`)}; create another link`,
        );
      }
      requirePanelForSignature(changes.requiresSignature, link.link_type, 'requires_signature');
      requireSharedForSlug(changes.slug, link.link_type, 'link_slug');
      const { name, slug, quota, state, expiresAt, redirects, waveId, requiresSignature } = changes;
      if (slug !== link.link_slug) await claimSlug(repositories, scope, { slug, field: 'link_slug' });
      await requireWavesOfSurvey(repositories, scope, [{ field: 'wave_id', waveId: waveId ?? null }]);
      await repositories.links.update(scope, linkId, {
        name: name ?? link.link_name,
        slug: slug === undefined ? link.link_slug : slug,
        quota: quota === undefined ? link.link_quota : quota,
        state: state ?? link.link_state,
        expiresAt: expiresAt === undefined ? link.expires_at : expiresAt,
        redirects: redirects === null ? {} : { ...link.redirects, ...redirects },
        waveId: waveId === undefined ? link.wave_id : waveId,
        requiresSignature: requiresSignature ?? link.requires_signature,
      });
      // Responses that started before the link had a quota get reservations.
      if (link.link_quota === null && typeof quota === 'number' && link.link_type !== 'unique') {
        const since = new Date(this.now().getTime() - RESERVATION_TTL_SECONDS * 1000);
        await repositories.linkReservations.reserveForStarted(
          { surveyId: scope.surveyId, linkId },
          since,
          RESERVATION_TTL_SECONDS,
        );
      }
      const fields = Object.entries(changes).flatMap(([field, value]) =>
        value === undefined ? [] : [field],
      );
      await repositories.audit.record(
        linkAuditEntry({ by: scope, action: 'updated', objectId: linkId, details: { fields } }),
      );
      return this.findLink(repositories, scope, linkId);
    });
  }

  /**
   * Deletes a link. No response can start through it; started ones may be completed for a while
   * (services/collection/link-resolver.ts).
   */
  async delete(scope: SurveyScope, linkId: number): Promise<void> {
    await this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      if ((await repositories.links.lock(scope, [linkId])).size === 0) throw notFound('link');
      await repositories.links.delete(scope, [linkId]);
      await repositories.audit.record(linkAuditEntry({ by: scope, action: 'deleted', objectId: linkId }));
    });
  }

  private async findLink({ links }: Repositories, scope: SurveyScope, linkId: number): Promise<LinkRow> {
    const link = await links.find(scope, linkId, this.now());
    if (link === null) throw notFound('link');
    return link;
  }
}

/** Throws 400 for each field that names a wave of another survey. The caller has locked the survey. */
async function requireWavesOfSurvey(
  { waves }: Repositories,
  scope: SurveyScope,
  named: readonly { field: string; waveId: number | null }[],
): Promise<void> {
  const requestedWaves = named.flatMap(({ field, waveId }) => (waveId === null ? [] : [{ field, waveId }]));
  if (requestedWaves.length === 0) return;
  const known = await waves.filterExisting(scope, [...new Set(requestedWaves.map(({ waveId }) => waveId))]);
  const unknown = requestedWaves.filter(({ waveId }) => !known.has(waveId)).slice(0, MAX_DETAILS);
  if (unknown.length === 0) return;
  throw invalidFields(
    unknown.map(({ field, waveId }) => ({
      field,
      message: unknownObject({ kind: 'wave', idOrCode: waveId, scope: 'in this survey' }),
    })),
  );
}

function requirePanelForSignature(requires: boolean | undefined, type: LinkType, field: string): void {
  if (requires === true && type !== 'panel') throw invalid(field, onlyAllowed('with link_type panel'));
}

/** The address of a link for one person cannot be guessed. */
function requireSharedForSlug(slug: string | null | undefined, type: LinkType, field: string): void {
  if (typeof slug === 'string' && type === 'unique')
    throw invalid(field, onlyAllowed('with link_type open or panel'));
}

/** Throws 409 `slug_taken`, with a free one, if another link of the installation has the slug. */
async function claimSlug(
  { links }: Repositories,
  { organizationId }: SurveyScope,
  { slug, field }: { slug: string | null | undefined; field: string },
): Promise<void> {
  if (typeof slug !== 'string') return;
  await links.releaseSlug(organizationId, slug);
  const taken = await links.listSlugsLike(slug);
  if (!taken.has(slug)) return;
  const message = `${alreadyUsed(slug, 'another link')}; "${findFreeSlug(slug, (one) => taken.has(one))}" is free`;
  throw conflict('slug_taken', `${field}: ${message}`, [{ field, message }]);
}

const linkAuditEntry = ({
  by,
  action,
  objectId,
  details,
}: {
  by: SurveyScope;
  action: string;
  objectId: number;
  details?: Record<string, unknown> | undefined;
}) => ({
  by,
  action: `link.${action}`,
  objectType: 'link',
  objectId,
  ...(details === undefined ? {} : { details }),
});

type LinkBatchAction = 'pause' | 'activate' | 'delete';

const AUDIT_ACTIONS = {
  pause: 'links_paused',
  activate: 'links_activated',
  delete: 'links_deleted',
} as const;

/** Creates and changes many links of a survey, all or none. */
export class LinkBatchService {
  constructor(
    private readonly store: Store,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** `fieldOf`: the request field of a link's field, by the link's index. */
  create(
    scope: SurveyScope,
    links: readonly NewLink[],
    fieldOf: (index: number, field: string) => string,
  ): Promise<LinkRow[]> {
    for (const [index, { requiresSignature, slug, type }] of links.entries()) {
      requirePanelForSignature(requiresSignature, type, fieldOf(index, 'requires_signature'));
      requireSharedForSlug(slug, type, fieldOf(index, 'link_slug'));
    }
    const tokens = this.ids.token(LINK_TOKEN_CHARACTERS * links.length);
    const tokenOf = (index: number) =>
      tokens.slice(index * LINK_TOKEN_CHARACTERS, (index + 1) * LINK_TOKEN_CHARACTERS);
    const named = links.map((link, index) => ({ ...link, token: tokenOf(index) }));
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const waves = links.map(({ waveId }, index) => ({ field: fieldOf(index, 'wave_id'), waveId }));
      await requireWavesOfSurvey(repositories, scope, waves);
      for (const [index, { slug }] of links.entries())
        await claimSlug(repositories, scope, { slug, field: fieldOf(index, 'link_slug') });
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
            message: unknownObject({ kind: 'link', idOrCode: id, scope: 'in this survey' }),
          })),
        );
      }
      await changeAll({ repositories, scope, action, linkIds: [...known] });
      await repositories.audit.record(surveyAuditEntry(scope, AUDIT_ACTIONS[action], { count: known.size }));
      return known.size;
    });
  }
}

async function changeAll({
  repositories: { links },
  scope,
  action,
  linkIds,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  action: LinkBatchAction;
  linkIds: readonly number[];
}): Promise<void> {
  if (action === 'delete') await links.delete(scope, linkIds);
  else await links.setState(scope, linkIds, action === 'pause' ? 'paused' : 'active');
}
