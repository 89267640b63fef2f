import { DOCX, GIF, HTML, PNG, SVG } from '../../test/support/sample-files.ts';
import type { Change } from './draft.ts';

const FILES: readonly [what: string, name: string, content: Buffer][] = [
  ['HTML called .png', 'a.png', HTML],
  ['SVG called .png', 'a.png', SVG],
  ['a polyglot', 'a.gif', Buffer.concat([GIF, HTML])],
  ['a path', '../../../etc/cron.d/x', PNG],
  ['a long name', `${'x'.repeat(3_000)}.png`, PNG],
  ['NUL in the name', 'a\0.png', PNG],
  ['a hidden direction', 'gpj.\u202egnp', PNG],
  ['no bytes', 'a.png', Buffer.alloc(0)],
  ['a broken picture', 'a.png', PNG.subarray(0, 40)],
  [
    'a huge picture',
    'a.png',
    Buffer.concat([PNG.subarray(0, 16), Buffer.from('7fffffff7fffffff', 'hex'), PNG.subarray(24)]),
  ],
  ['half a ZIP', 'a.xlsx', DOCX.subarray(0, 50)],
  ['another document', 'a.xlsx', DOCX],
  ['an empty .sav', 'a.sav', Buffer.from('$FL2@(#) SPSS DATA FILE')],
  [
    'a lying .sav',
    'a.sav',
    Buffer.concat([Buffer.from('$FL2@(#) SPSS DATA FILE'.padEnd(64)), Buffer.alloc(200, 0x7f)]),
  ],
  ['many columns', 'a.csv', Buffer.from(`${'a,'.repeat(30_000)}b\n1\n`)],
  ['an open quote', 'a.csv', Buffer.from(`a,b\n"${'x'.repeat(100_000)}`)],
  ['names as SQL', 'a.csv', Buffer.from('"a\'; drop table users;--","__proto__",constructor\n1,2,3\n')],
  ['formulas', 'a.csv', Buffer.from('Q1,external_id,email\n=1+1,"=cmd|x!A0",@SUM(1)\n')],
  ['bytes of no charset', 'a.csv', Buffer.from([0x61, 0x2c, 0xff, 0xfe, 0x00, 0x0a, 0xc3, 0x28])],
  ['UTF-16', 'a.csv', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le')],
];

/** What may be wrong with a file in a form. */
export const IN_FORM: readonly Change[] = [
  (draft, random) => {
    if (draft.body.kind !== 'form') return null;
    const [what, name, content] = random.pick(FILES);
    draft.body = { ...draft.body, files: draft.body.files.map((file) => ({ ...file, name, content })) };
    return `as file: ${what}`;
  },
  (draft, random) => {
    if (draft.body.kind !== 'form') return null;
    const [file] = draft.body.files;
    if (file === undefined) return null;
    const changed = random.pick([
      { ...draft.body, files: [] },
      { ...draft.body, files: [file, file] },
      { ...draft.body, files: [{ ...file, field: '__proto__' }] },
      { ...draft.body, files: [{ ...file, field: 'x'.repeat(2_000) }] },
      { ...draft.body, fields: [...draft.body.fields, ['__proto__', 'x'] as [string, string]] },
      { ...draft.body, fields: [['constructor', 'x'] as [string, string]] },
      {
        ...draft.body,
        fields: Array.from({ length: 50 }, (_, index): [string, string] => [`f${index}`, 'x']),
      },
      { ...draft.body, fields: draft.body.fields.map(([name]): [string, string] => [name, 'a\0b']) },
      {
        ...draft.body,
        fields: draft.body.fields.map(([name]): [string, string] => [name, 'x'.repeat(5_000)]),
      },
      { ...draft.body, fields: [...draft.body.fields, ...draft.body.fields] },
    ]);
    draft.body = changed;
    return `a form of ${changed.fields.length} fields and ${changed.files.length} files, with something odd`;
  },
  (draft, random) => {
    if (draft.body.kind !== 'form') return null;
    const [contentType, text] = random.pick<readonly [string, string]>([
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      ],
      ['multipart/form-data; boundary=x', '--x--\r\n'],
      ['multipart/form-data; boundary=x', ''],
      ['multipart/form-data; boundary=x', '--x\r\n\r\n\r\n--x--'],
      ['multipart/form-data; boundary=x', `--x\r\n${'A: b\r\n'.repeat(3_000)}\r\n--x--`],
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; filename="a"\r\n\r\n1\r\n--x--',
      ],
      [
        'multipart/form-data; boundary=x',
        `--x\r\nContent-Disposition: form-data; name="file"; filename*=utf-8''%00%ff\r\n\r\n1\r\n--x--`,
      ],
      ['multipart/form-data', '--x--'],
      [`multipart/form-data; boundary=${'y'.repeat(500)}`, '--y--'],
      ['multipart/mixed; boundary=x', '--x--'],
      ['application/json', '{}'],
      ['application/octet-stream', 'abc'],
    ]);
    draft.body = { kind: 'bytes', bytes: Buffer.from(text), contentType };
    return `a broken form, as ${contentType.slice(0, 40)}`;
  },
];
