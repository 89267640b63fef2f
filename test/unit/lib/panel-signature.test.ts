import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { isSameSignature, signPanelEntry, signPanelExit } from '../../../src/lib/panel-signature.ts';
import { decryptText, encryptText } from '../../../src/lib/secrets.ts';

const KEY = 'cvl_example-key-of-48-characters';
const LINK = 'JKQGyGpfMplal5Aoz6zo';
const ENTRY = { linkToken: LINK, externalId: 'm-1041 é', signedAt: 1767225600 };
/** printf 'entry\\nJKQGyGpfMplal5Aoz6zo\\nm-1041 é\\n1767225600' | openssl dgst -sha256 -hmac 'cvl_example-key-of-48-characters' */
const ENTRY_SIGNATURE = '9a32596d5a4d19b208cc7b22cca73bff4f1f26b76d9fb5883db5d5dbe421e3bb';
/** printf 'exit\\nJKQGyGpfMplal5Aoz6zo\\nm-1041 é\\ncomplete\\n1767225600' | openssl dgst -sha256 -hmac 'cvl_example-key-of-48-characters' */
const EXIT_SIGNATURE = '1698ae995d0de4c926d7761fe207d7c05f51228b2ff582d6aa9c7bae6e890bec';

describe('signatures of panels', () => {
  it('are those of openssl', () => {
    expect(signPanelEntry(KEY, ENTRY)).toBe(ENTRY_SIGNATURE);
    expect(signPanelExit(KEY, { ...ENTRY, status: 'complete' })).toBe(EXIT_SIGNATURE);
  });

  it('differ for every part, and between entry and exit', () => {
    const changed = [
      signPanelEntry(`${KEY}x`, ENTRY),
      signPanelEntry(KEY, { ...ENTRY, linkToken: 'another' }),
      signPanelEntry(KEY, { ...ENTRY, externalId: 'm-1042' }),
      signPanelEntry(KEY, { ...ENTRY, signedAt: 1767225601 }),
      signPanelExit(KEY, { ...ENTRY, status: 'complete' }),
      signPanelExit(KEY, { ...ENTRY, status: 'screen_out' }),
      // An id that contains the end of another message.
      signPanelEntry(KEY, { ...ENTRY, externalId: 'm-1041 é\n1767225600', signedAt: '' }),
      ENTRY_SIGNATURE,
    ];
    expect(new Set(changed).size).toBe(changed.length);
  });

  it('are compared in any case, and never equal to a part', () => {
    expect(isSameSignature(ENTRY_SIGNATURE, ENTRY_SIGNATURE.toUpperCase())).toBe(true);
    for (const other of ['', ENTRY_SIGNATURE.slice(1), `${ENTRY_SIGNATURE}0`, EXIT_SIGNATURE])
      expect(isSameSignature(ENTRY_SIGNATURE, other)).toBe(false);
  });
});

describe('the examples of the how-to', () => {
  const guide = readFileSync('docs/how-to/sign-panel-links.md', 'utf8');
  const blocks = (language: string) =>
    [...guide.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code]) => code!);
  const address = `https://canvass.example/s/${LINK}`;
  const call = (code: string, name: string): ((...values: unknown[]) => unknown) =>
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the example of the document
    new Function('require', `${code}; return ${name};`)(createRequire(import.meta.url)) as never;

  it('show the signature of openssl', () => {
    expect(guide).toContain(ENTRY_SIGNATURE);
  });

  it('sign an entry in Node', () => {
    const signed = call(blocks('js')[0]!, 'signedAddress')(address, KEY, 'm-1041 é', 1767225600) as string;
    expect(Object.fromEntries(new URL(signed).searchParams)).toEqual({
      external_id: 'm-1041 é',
      signed_at: '1767225600',
      signature: ENTRY_SIGNATURE,
    });
  });

  it('verify an exit in Node', () => {
    const isGenuine = call(blocks('js')[1]!, 'isGenuineExit');
    const exit = { id: 'm-1041 é', status: 'complete', at: '1767225600', sig: EXIT_SIGNATURE };
    expect(isGenuine(KEY, LINK, exit, Number.MAX_SAFE_INTEGER)).toBe(true);
    expect(isGenuine(KEY, LINK, { ...exit, status: 'screen_out' }, Number.MAX_SAFE_INTEGER)).toBe(false);
    expect(isGenuine(KEY, LINK, exit)).toBe(false);
  });

  it.skipIf(!hasPython())('sign an entry in Python', () => {
    const code = `${blocks('python')[0]!}\nprint(signed_address("${address}", "${KEY}", "m-1041 é", 1767225600))`;
    const signed = execFileSync('python3', ['-c', code], { encoding: 'utf8' }).trim();
    expect(new URL(signed).searchParams.get('signature')).toBe(ENTRY_SIGNATURE);
  });
});

describe('encrypted texts', () => {
  it('are read with the same secret and purpose only', () => {
    const encrypted = encryptText('secret', 'key of link 1', KEY);
    expect(encrypted).not.toContain(KEY);
    expect(decryptText('secret', 'key of link 1', encrypted)).toBe(KEY);
    expect(decryptText('secret', 'key of link 2', encrypted)).toBeNull();
    expect(decryptText('other', 'key of link 1', encrypted)).toBeNull();
    expect(decryptText('secret', 'key of link 1', `${encrypted.slice(0, -2)}AA`)).toBeNull();
    expect(decryptText('secret', 'key of link 1', 'short')).toBeNull();
    expect(encryptText('secret', 'key of link 1', KEY)).not.toBe(encrypted);
  });
});

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
