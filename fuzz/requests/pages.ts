import type { Fixtures } from '../../test/support/permission-matrix/fixtures.ts';
import type { Sender, WireRequest } from './draft.ts';
import { HOSTILE_ADDRESS_PARTS } from './hostile-values.ts';
import type { Random } from './random.ts';
import { anySender } from './senders.ts';

/** A request to something undeclared: pages, their files, unknown addresses. */
export interface PageRequest extends WireRequest {
  what: string;
  sender: Sender;
}

const PAGES: readonly ((part: string, { unchanged }: Fixtures) => string)[] = [
  (part) => `/s/${part}`,
  (part, { unchanged }) => `/s/${unchanged.shared.linkToken}/${part}`,
  (part, { unchanged }) => `/s/${unchanged.shared.linkToken}?${part}=${part}`,
  (part) => `/u/${part}`,
  (part) => `/d/${part}/${part}`,
  (part, { unchanged }) => `/d/${unchanged.shared.orgSlug}/${part}`,
  (part, { unchanged }) => `/d/${unchanged.shared.orgSlug}/${unchanged.shared.dashboardSlug}?filters=${part}`,
  (part) => `/dashboards/${part}`,
  (part, { foreign }) => `/dashboards/${foreign.dashboardId}?${part}`,
  (part) => `/dashboards/assets/${part}`,
  (part) => `/settings/${part}`,
  (part) => `/settings/assets/${part}`,
  (part) => `/join/${part}`,
  (part) => `/reset?token=${part}`,
  (part) => `/checkout/${part}`,
  (part) => `/api/docs/${part}`,
  (part) => `/api/openapi.json?${part}`,
  (part) => `/metrics?${part}`,
  (part) => `/api/${part}`,
  (part) => `/${part}`,
  (part) => `//${part}`,
];

/** Some page, with something in its address that means harm, by anybody and by any method. */
export function pageRequest(fixtures: Fixtures, random: Random): PageRequest {
  const part = random.pick([...HOSTILE_ADDRESS_PARTS, 'a', '1']);
  const sender = anySender(fixtures, random);
  const method = random.pick([
    'GET',
    'GET',
    'GET',
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'DELETE',
    'OPTIONS',
    'TRACE',
  ]);
  const body = method === 'POST' ? Buffer.from(random.pick(['', 'a=1', '{"a":', '\0'])) : null;
  return {
    method,
    path: random.pick(PAGES)(part, fixtures),
    headers: { ...sender.headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body,
    what: 'a page',
    sender,
  };
}
