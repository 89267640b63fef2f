import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { findSavEncoding, SAV_ENCODINGS } from '../../../src/importers/sav/sav-encoding.ts';
import { byteFileFromBuffer } from '../../../src/importers/byte-file.ts';
import { openSav } from '../../../src/importers/sav/sav-source.ts';
import { buildSav } from '../../support/build-sav.ts';
import { planSav } from '../../support/plan-sav.ts';

/** Name of the encoding (record 20), code page of the machine record, a text, and its bytes. */
const TEXTS: [name: string, codePage: number, text: string, bytes: string][] = [
  ['CP949', 949, '서울 똠', 'bcadbfef208c63'],
  ['EUC-KR', 51_949, '서울', 'bcadbfef'],
  ['CP874', 874, 'ไทย', 'e4b7c2'],
  ['CP850', 850, 'Größe', '4772 94 e1 65'],
  ['CP437', 437, 'Größe', '4772 94 e1 65'],
  ['CP852', 852, 'Łódź', '9da264ab'],
  ['windows-1250', 1250, 'Łódź', 'a3f3649f'],
  ['CP1251', 1251, 'Москва', 'cceef1eae2e0'],
  ['windows-1252', 1252, 'Größe “€”', '4772f6df65 20 93 80 94'],
  ['windows-1253', 1253, 'Αθήνα', 'c1e8deede1'],
  ['windows-1254', 1254, 'İğ', 'ddf0'],
  ['windows-1255', 1255, 'שלום', 'f9ece5ed'],
  ['windows-1256', 1256, 'سلام', 'd3e1c7e3'],
  ['windows-1257', 1257, 'Ąž', 'c0fe'],
  ['windows-1258', 1258, 'ăđ', 'e3f0'],
  ['KOI8-R', 20_866, 'Москва', 'edcfd3cbd7c1'],
  ['KOI8-U', 21_866, 'Київ', 'ebc9a7d7'],
  ['GB18030', 54_936, '中文€', 'd6d0cec4a2e3'],
  ['GBK', 936, '中文', 'd6d0cec4'],
  ['BIG5', 950, '中文', 'a4a4a4e5'],
  ['SHIFT_JIS', 932, '日本', '93fa967b'],
  ['EUC-JP', 51_932, '日本', 'c6fccbdc'],
  ['ISO-8859-1', 28_591, 'Größe', '4772f6df65'],
  ['ISO-8859-2', 28_592, 'Łódź', 'a3f364bc'],
  ['ISO-8859-5', 28_595, 'Мир', 'bcd8e0'],
  ['ISO-8859-7', 28_597, 'Αθ', 'c1e8'],
  ['ISO-8859-15', 28_605, '€uro', 'a475726f'],
  ['macintosh', 10_000, 'Größe', '47729aa765'],
  ['IBM866', 866, 'Мир', '8ca8e0'],
  ['UTF-8', 65_001, '서울 ☕', 'ec849cec9ab820e29895'],
];

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const sav = (bytes: Buffer, more: object) =>
  buildSav({
    variables: [{ name: 'T', width: 20, label: 'label', labels: [['x', 'text']] }],
    rows: [['cell'], ['x']],
    encode: (text) => (['label', 'text', 'cell'].includes(text) ? bytes : Buffer.from(text, 'latin1')),
    ...more,
  });
async function textsOf(file: Buffer, encoding: Parameters<typeof planSav>[1] = null) {
  const { file: source, rows, notes } = await planSav(file, encoding);
  return {
    texts: [source.columns[0]!.label, source.columns[0]!.variable!.valueLabels[0]![1], rows[0]![0]],
    notes,
  };
}

describe('texts of a file', () => {
  test.each(TEXTS)('in %s, by its name or by the code page %i', async (name, codePage, text, hex) => {
    for (const declared of [
      { encoding: name, codePage: null },
      { encoding: name, codePage: 1252 },
      { encoding: null, codePage },
    ]) {
      expect(await textsOf(sav(bytesOf(hex), declared))).toEqual({ texts: [text, text, text], notes: [] });
    }
  });

  test.each([
    ['windows-949', 'euc-kr'],
    ['x-windows-949', 'euc-kr'],
    ['ms949', 'euc-kr'],
    ['KS_C_5601-1987', 'euc-kr'],
    ['ISO_8859-1:1987', 'iso-8859-1'],
    ['latin1', 'iso-8859-1'],
    ['MICROSOFT-CP1252', 'windows-1252'],
    ['cp936', 'gbk'],
    ['GB2312', 'gbk'],
    ['IBM850', 'cp850'],
    ['ibm-437', 'cp437'],
    ['windows-31j', 'shift_jis'],
    ['cp65001', 'utf-8'],
    ['utf8', 'utf-8'],
    ['x-mac-roman', 'macintosh'],
    ['hex', null],
    ['utf-16le', null],
    ['klingon', null],
    ['constructor', null],
  ])('named %s are read as %s', (name, encoding) => {
    expect(findSavEncoding(name)).toBe(encoding);
  });

  test('have an encoding that can be read, whatever name of the list is asked for', async () => {
    for (const encoding of SAV_ENCODINGS)
      expect(await textsOf(sav(Buffer.from('plain'), {}), encoding)).toEqual({
        texts: ['plain', 'plain', 'plain'],
        notes: [],
      });
  });

  test('are read as UTF-8, else as windows-1252, with a note, if the file says nothing or the unknown', async () => {
    for (const [declared, reason] of [
      [{ encoding: null, codePage: null }, 'does not say its encoding'],
      [{ encoding: null, codePage: 2 }, 'does not say its encoding'],
      [{ encoding: 'klingon', codePage: null }, 'unknown encoding klingon'],
    ] as const) {
      const western = await textsOf(sav(bytesOf('4772f6df65'), declared));
      expect(western.texts[0]).toBe('Größe');
      expect(western.notes.join()).toContain(reason);
      expect((await textsOf(sav(Buffer.from('Größe'), declared))).texts[0]).toBe('Größe');
    }
  });

  test('that the file calls ASCII are noted if they are not', async () => {
    const declared = { encoding: 'ANSI_X3.4-1968', codePage: null };
    expect((await textsOf(sav(Buffer.from('plain'), declared))).notes).toEqual([]);
    const other = await textsOf(sav(Buffer.from('Größe'), declared));
    expect(other.texts[0]).toBe('Größe');
    expect(other.notes.join()).toContain('ASCII, which they are not');
  });

  test('are noted once if they are not valid in the encoding, and read rightly with the requested one', async () => {
    const lying = sav(bytesOf('4772f6df65'), { encoding: 'UTF-8', codePage: 65_001 });
    const wrong = await textsOf(lying);
    expect(wrong.texts[0]).toBe('Gr\ufffd\ufffde');
    expect(wrong.notes).toHaveLength(1);
    expect(wrong.notes[0]).toContain('send `encoding`');
    expect(await textsOf(lying, 'windows-1252')).toEqual({ texts: ['Größe', 'Größe', 'Größe'], notes: [] });
  });
});

test.each([
  ['UTF-8', '4772c3b6c3', 'Grö'],
  ['UTF-8', 'e0b0a8e0b187e0b0', 'నే'],
  ['SHIFT_JIS', '93fa96', '日'],
  ['UTF-8', '61efbfbd', 'a\ufffd'],
])('a text in %s that was cut within a character (%s) loses that character', async (encoding, hex, text) => {
  const { texts, notes } = await textsOf(sav(bytesOf(hex), { encoding, codePage: null }));
  expect(texts[2]).toBe(text);
  expect(notes).toEqual(
    text.endsWith('\ufffd') ? [] : ['Some texts end within a character, which is left out'],
  );
});

test('a short name of eight bytes that ends within a character is that of its long name, long text and set', async () => {
  // ReadStat writes such names; the last byte is the first one of ב and ג.
  const names = ['ותק_ב', 'ותך_ג'].map((name) => Buffer.from(name));
  const short = names.map((name) => name.subarray(0, 8));
  const record = (...parts: (Buffer | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
  const source = await openSav(
    byteFileFromBuffer(
      buildSav({
        variables: names.map((name) => ({ name: String(name), width: 8 })),
        rows: [['a', 'b']],
        extensions: [
          [7, record('$set=C 5 Label ', short[0]!, ' ', short[1]!, '\n')],
          [13, record(short[0]!, '=', names[0]!, '\t', short[1]!, '=', names[1]!)],
        ],
      }),
    ),
  );
  expect(source.columns.map(({ header }) => header)).toEqual(['ותק_ב', 'ותך_ג']);
  expect(source.sets.map(({ variables }) => variables)).toEqual([['ותק_ב', 'ותך_ג']]);
  expect(source.notes).toEqual([]);
});

test('the texts of the table have the bytes that iconv writes', () => {
  for (const [name, , text, hex] of TEXTS)
    expect(iconv.encode(text, name).toString('hex'), name).toBe(hex.replaceAll(' ', ''));
});
