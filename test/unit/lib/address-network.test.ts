import { SocketAddress } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressNetwork, clientAddress, normalizeAddress } from '../../../src/lib/address-network.ts';

describe('normalizeAddress', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    [' 192.0.2.7 ', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[192.0.2.7]:80', '192.0.2.7'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:1.2.3.4', '1.2.3.4'],
    ['::ffff:102:304', '1.2.3.4'],
    ['::FfFf:0102:0304', '1.2.3.4'],
    ['0:0:0:0:0:ffff:102:304', '1.2.3.4'],
    ['0000:0000:0000:0000:0000:ffff:0102:0304', '1.2.3.4'],
    ['0:0::ffff:1.2.3.4', '1.2.3.4'],
    ['0::0:ffff:102:304', '1.2.3.4'],
    ['[::ffff:102:304]', '1.2.3.4'],
    ['[::ffff:1.2.3.4]:65535', '1.2.3.4'],
    ['::ffff:1.2.3.4%eth0', '1.2.3.4'],
    ['[::ffff:102:304%25eth0]:443', '1.2.3.4'],
    ['::ffff:0:0', '0.0.0.0'],
    ['::ffff:ffff:ffff', '255.255.255.255'],
    ['2001:0DB8:0000:0000:0001:0000:0000:0001', '2001:db8::1:0:0:1'],
    ['2001:db8::', '2001:db8::'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['[2001:DB8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['FE80::1%1', 'fe80::1'],
    ['::1', '::1'],
    ['::', '::'],
    ['::1.2.3.4', '::102:304'],
    ['::ffff:0:1.2.3.4', '::ffff:0:102:304'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['2002:102:304::1', '2002:102:304::1'],
  ])('writes %s as %s', (text, canonical) => {
    expect(normalizeAddress(text)).toBe(canonical);
    expect(normalizeAddress(canonical)).toBe(canonical);
  });

  it.each([
    '',
    'unknown',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '0x7f.0.0.1',
    '2130706433',
    '1.2.3.4:port',
    '1.2.3.4, 5.6.7.8',
    ':::',
    '1::2::3',
    '::ffff:1.2.3',
    '::ffff:1.2.3.256',
    '[::1',
    '::1]',
    '[::1]x',
    '12345::',
    '%eth0',
    "1.2.3.4'",
  ])('returns null for %j', (text) => {
    expect(normalizeAddress(text)).toBeNull();
  });

  it('writes all addresses that are not mapped as Node.js does', () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
    const words = fc.array(group, { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(words, (groups) => {
        fc.pre(groups.slice(0, 5).some((each) => each > 0));
        const text = groups.map((each) => each.toString(16).toUpperCase().padStart(4, '0')).join(':');
        const { address } = new SocketAddress({ address: text, family: 'ipv6' });
        expect(normalizeAddress(text)).toBe(address);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it('reads a mapped address in any spelling as the same address', () => {
    fc.assert(
      fc.property(
        fc.ipV4(),
        fc.boolean(),
        fc.constantFrom('::ffff:', '0:0:0:0:0:FFFF:', '0::ffff:'),
        (address, isHex, prefix) => {
          const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
          const tail = isHex ? `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}` : address;
          expect(normalizeAddress(prefix + tail)).toBe(address);
          expect(addressNetwork(prefix + tail)).toBe(address);
          expect(addressNetwork(`[${prefix}${tail}]:80`, 56)).toBe(address);
        },
      ),
      { seed: 7, numRuns: 500 },
    );
  });
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:1234', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['[2001:0DB8:0001:0002::9]:443', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::192.0.2.7', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['::192.0.2.7', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '192.0.2.7'],
  ['64:ff9b::c000:207', '192.0.2.7'],
  ['64:ff9b:1::c000:207', '64:ff9b:1:0::/64'],
  ['2002:c000:207::1', '192.0.2.7'],
  ['2002:c000:207:ffff:1:2:3:4', '192.0.2.7'],
  ['2001::1', '2001:0:0:0::/64'],
  ['', ''],
  ['Unknown', 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(addressNetwork(address)).toBe(network);
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2ff:3:4:5:6', '2001:db8:1:200::/56'],
  ['2001:db8:1:2ff::', '2001:db8:1:200::/56'],
  ['2001:db8:1:300::', '2001:db8:1:300::/56'],
  ['::1', '0:0:0:0::/56'],
])('the /56 network of %s is %s', (address, network) => {
  expect(addressNetwork(address, 56)).toBe(network);
});

it.each([
  [{ ip: '::ffff:102:304', socket: { remoteAddress: '10.0.0.1' } }, '1.2.3.4'],
  [{ ip: 'unknown', socket: { remoteAddress: '::ffff:10.0.0.1' } }, '10.0.0.1'],
  [{ ip: "1' OR 1=1", socket: { remoteAddress: '10.0.0.1' } }, '10.0.0.1'],
  [{ ip: undefined, socket: {} }, ''],
])('the address of the client of %j is %s', (request, address) => {
  expect(clientAddress(request)).toBe(address);
});
