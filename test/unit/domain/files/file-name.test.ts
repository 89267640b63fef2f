import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extensionOf, sanitizeFileName } from '../../../../src/domain/files/check-file.ts';

describe('a safe file name', () => {
  it('keeps only harmless characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        const name = sanitizeFileName(given);
        expect(name).not.toMatch(/[/\\<>:"|?*\p{Cc}\p{Cf}]/u);
        expect(name).not.toMatch(/^[\s.]|[\s.]$/);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180);
        expect(name.isWellFormed()).toBe(true);
        expect(sanitizeFileName(name)).toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['photo.jpg', 'photo.jpg'],
    ['/a/b/photo.jpg', 'photo.jpg'],
    ['..', ''],
    ['../', ''],
    ['   ', ''],
    ['a/', ''],
    ['line\r\nbreak.png', 'linebreak.png'],
    ['.htaccess', 'htaccess'],
    ['cafe\u0301.png', 'café.png'],
    ['猫'.repeat(100) + '.png', '猫'.repeat(58) + '.png'],
  ])('%j becomes %j', (given, kept) => {
    expect(sanitizeFileName(given)).toBe(kept);
  });
});

it.each([
  ['a.PNG', 'png'],
  ['a.tar.gz', 'gz'],
  ['a', ''],
  ['.png', ''],
  ['a.', ''],
  ['a.b c', ''],
  ['a.averyveryverylong', ''],
])('the extension of %j is %j', (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
});
