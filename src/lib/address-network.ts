import { isIPv6 } from 'node:net';

/**
 * The address as one customer has it: IPv4 as it is, IPv6 by its network of `prefixBits`, a mapped IPv4 address as IPv4. Addresses within a
 * network change by themselves. Stored hashes are made of the text for 64.
 */
export function addressNetwork(address: string, prefixBits: 56 | 64 = 64): string {
  const plain = address.replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  if (mapped) return mapped[1]!;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const texts =
    tail === undefined
      ? first
      : [...first, ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last];
  const groups = texts.slice(0, 4).map((text) => Number.parseInt(text, 16));
  if (prefixBits === 56) groups[3]! &= 0xff00;
  return `${groups.map((group) => group.toString(16)).join(':')}::/${prefixBits}`;
}
