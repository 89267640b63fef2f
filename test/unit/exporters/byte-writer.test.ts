import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteWriter } from '../../../src/exporters/byte-writer.ts';

test('collects texts as their UTF-8 bytes, whatever their length', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary-ascii', minLength: 60, maxLength: 70 }),
    // Longer than the first buffer.
    fc.constantFrom('x'.repeat(70_000), 'ж漢🍵'.repeat(20_000), 'a\ud83d', '\udf75'),
  );
  fc.assert(
    fc.property(fc.array(fc.array(text, { maxLength: 8 }), { maxLength: 4 }), (batches) => {
      const writer = new ByteWriter();
      for (const texts of batches) {
        for (const each of texts) writer.add(each);
        expect(writer.take().equals(Buffer.concat(texts.map((each) => Buffer.from(each))))).toBe(true);
      }
    }),
    { seed: 3, numRuns: 60 },
  );
});
