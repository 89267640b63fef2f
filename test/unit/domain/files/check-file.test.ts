import { describe, expect, it } from 'vitest';
import { checkFile } from '../../../../src/domain/files/check-file.ts';

const png = { ext: 'png', mime: 'image/png' };
const jpg = { ext: 'jpg', mime: 'image/jpeg' };
const zip = { ext: 'zip', mime: 'application/zip' };
const cfb = { ext: 'cfb', mime: 'application/x-cfb' };
const pdf = { ext: 'pdf', mime: 'application/pdf' };
const xml = { ext: 'xml', mime: 'application/xml' };
const exe = { ext: 'exe', mime: 'application/x-msdownload' };
const sav = { ext: 'sav', mime: 'application/x-spss-sav' };

describe('checkFile accepts', () => {
  it.each([
    ['a.png', png, null, 'image/png'],
    ['a.jpeg', jpg, ['jpg'], 'image/jpeg'],
    ['a.jpg', jpg, ['jpeg'], 'image/jpeg'],
    ['a.docx', zip, null, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a.xls', cfb, null, 'application/vnd.ms-excel'],
    ['a.zip', zip, ['zip'], 'application/zip'],
    ['a.sav', sav, ['sav'], 'application/x-spss-sav'],
    ['a.mp4', { ext: 'mov', mime: 'video/quicktime' }, null, 'video/quicktime'],
  ])('%s with content %o and allowed types %j', (name, detected, allowed, contentType) => {
    expect(checkFile(name, detected, allowed)).toEqual({
      ok: true,
      fileName: name,
      contentType,
      text: false,
    });
  });

  it('a name without an extension and adds it', () => {
    expect(checkFile('scan', pdf, null)).toMatchObject({ ok: true, fileName: 'scan.pdf' });
  });

  it('a text file by its extension, regardless of its first bytes, if the question allows it', () => {
    expect(checkFile('a.csv', { ext: 'bmp', mime: 'image/bmp' }, ['csv'])).toEqual({
      ok: true,
      fileName: 'a.csv',
      contentType: 'text/csv; charset=utf-8',
      text: true,
    });
  });
});

describe('checkFile rejects', () => {
  it.each([
    ['a.gif', png, null, 'is named .gif, but its content is of the kind png'],
    ['a.png', undefined, null, 'of no known kind'],
    ['a.png', xml, null, 'never accepted'],
    ['a.svg', png, ['svg'], 'never accepted'],
    ['a.svg', undefined, ['svg'], 'never accepted'],
    ['a', exe, ['exe'], 'never accepted'],
    ['a.pdf', pdf, ['png', 'jpg'], 'accepted: png, jpg'],
    ['a.zip', zip, null, 'not of an accepted kind'],
    ['a.zip', zip, ['docx'], 'not of an accepted kind'],
    ['a.docx', cfb, null, 'but its content is of the kind cfb'],
    ['a.sav', sav, null, 'not of an accepted kind'],
    ['a.csv', undefined, null, 'not of an accepted kind'],
    ['a.csv', undefined, ['txt'], 'accepted: txt'],
    ['a.zip', zip, [], 'pictures, sound, film'],
  ])('%s with content %o and allowed types %j', (name, detected, allowed, message) => {
    const judged = checkFile(name, detected, allowed);
    expect(judged).toMatchObject({ ok: false, message: expect.stringContaining(message) });
  });
});
