import { isIPv4, isIPv6 } from 'node:net';

/** The eight groups of an IPv6 address. */
type Groups = readonly number[];

const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/;
const IPV4_WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;

/**
 * Returns an IP address in its one canonical form, whatever its spelling: IPv4 with dots, IPv6 as RFC 5952 writes it. An IPv4-mapped address
 * (`::ffff:1.2.3.4`, `::ffff:102:304`) is IPv4. Leaves out brackets, ports and zones (`%eth0`). null: the text is no address.
 */
export function normalizeAddress(text: string): string | null {
  const parsed = parseAddress(text);
  return typeof parsed === 'string' || parsed === null ? parsed : formatGroups(parsed);
}

/**
 * Returns the network of a client, which limits and duplicates count as one: an IPv4 address, or the first `prefixBits` of an IPv6 address,
 * because clients change addresses within a network often. Any spelling of an address has the same network. A text that is no address is
 * its own network. Stored hashes were made with 64 bits.
 *
 * An IPv6 address that belongs to one IPv4 address counts as that: mapped (::ffff:0:0/96), translated by NAT64 (64:ff9b::/96), where all
 * of IPv4 would be one network, and 6to4 (2002::/16), where one IPv4 address would have 65,536. IPv4-compatible addresses (::/96,
 * deprecated by RFC 4291) and Teredo (2001::/32) are ordinary IPv6.
 */
export function addressNetwork(address: string, prefixBits: 56 | 64 = 64): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address.trim().toLowerCase();
  if (typeof parsed === 'string') return parsed;
  const embedded = embeddedIPv4(parsed);
  if (embedded !== null) return embedded;
  const lastMask = prefixBits === 56 ? 0xff00 : 0xffff;
  const network = parsed.slice(0, 4).map((group, index) => group & (index === 3 ? lastMask : 0xffff));
  return `${network.map((group) => group.toString(16)).join(':')}::/${prefixBits}`;
}

/** The parts of a request that name its client. */
interface Connection {
  /** The address that the trusted proxies report. */
  ip?: string | undefined;
  socket: { remoteAddress?: string | undefined };
}

/**
 * Returns the canonical address of the client of a request. If a proxy reports something else than an address, this is the address of the
 * proxy, so that no text of a client is stored as an address or escapes a limit. Empty after the connection has ended.
 */
export const clientAddress = ({ ip, socket }: Connection): string =>
  normalizeAddress(ip ?? '') ?? normalizeAddress(socket.remoteAddress ?? '') ?? '';

/** As a server that listens on IPv6 gets the addresses of IPv4 clients. */
const MAPPED = '::ffff:';

/** Returns IPv4 and mapped IPv4 as text, IPv6 as groups. */
function parseAddress(text: string): string | Groups | null {
  // Nearly all addresses; each request reads its address several times.
  const unmapped = text.startsWith(MAPPED) ? text.slice(MAPPED.length) : text;
  if (isIPv4(unmapped)) return unmapped;
  const trimmed = text.trim();
  const unwrapped = BRACKETED.exec(trimmed)?.[1] ?? IPV4_WITH_PORT.exec(trimmed)?.[1] ?? trimmed;
  const plain = unwrapped.split('%', 1)[0] ?? '';
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return null;
  const groups = parseGroups(plain);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? formatIPv4(groups, 6) : groups;
}

/** `text` is a valid IPv6 address without a zone; its last 32 bits can be in IPv4 notation. */
function parseGroups(text: string): Groups {
  const [head = '', tail] = text.split('::');
  const first = groupsIn(head);
  if (tail === undefined) return first;
  const last = groupsIn(tail);
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

const groupsIn = (part: string): number[] =>
  part === ''
    ? []
    : part.split(':').flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)];
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
        return [a * 256 + b, c * 256 + d];
      });

/** Returns the IPv4 address in the groups at `index` and `index + 1`. */
const formatIPv4 = (groups: Groups, index: number): string =>
  groups
    .slice(index, index + 2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');

function embeddedIPv4(groups: Groups): string | null {
  if (groups[0] === 0x2002) return formatIPv4(groups, 1);
  const isNat64 =
    groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
  return isNat64 ? formatIPv4(groups, 6) : null;
}

/** Writes the address as RFC 5952 recommends: `::` for the first longest run of at least two zero groups. */
function formatGroups(groups: Groups): string {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start += 1) {
    let end = start;
    while (groups[end] === 0) end += 1;
    if (end - start > best.length) best = { start, length: end - start };
  }
  const write = (part: Groups) => part.map((group) => group.toString(16)).join(':');
  if (best.length < 2) return write(groups);
  return `${write(groups.slice(0, best.start))}::${write(groups.slice(best.start + best.length))}`;
}
