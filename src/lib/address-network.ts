import { isIPv6 } from 'node:net';

/**
 * Returns the address of a customer's network: IPv4 unchanged, IPv6 truncated to `prefixBits`, a mapped IPv4 address as IPv4. Clients
 * change addresses within a network often. Stored hashes were made with 64 bits.
 */
export function addressNetwork(address: string, prefixBits: 56 | 64 = 64): string {
  const plain = (address.split('%', 1)[0] ?? '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const texts =
    tail === undefined
      ? first
      : [...first, ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last];
  const lastMask = prefixBits === 56 ? 0xff00 : 0xffff;
  const groups = texts
    .slice(0, 4)
    .map((text, index) => Number.parseInt(text, 16) & (index === 3 ? lastMask : 0xffff));
  return `${groups.map((group) => group.toString(16)).join(':')}::/${prefixBits}`;
}
