import { describe, expect, test } from 'vitest';
import { StartError } from '../../src/lib/errors.ts';
import { toStartError } from '../../src/startup.ts';

const EXTERNAL = { databaseUrl: 'postgres://canvass:secret@db.internal:5432/canvass', dataDir: '/data' };
const EMBEDDED = { databaseUrl: null, dataDir: '/data' };

const messageOf = (error: unknown): string => {
  expect(error).toBeInstanceOf(StartError);
  return (error as Error).message;
};

describe('a start error says what to do', () => {
  test.each([
    [{ code: '53100' }, EXTERNAL, 'The disk of the database server db.internal:5432/canvass is full.'],
    [{ code: '53100' }, EMBEDDED, 'The disk of the embedded database in /data is full.'],
    [
      { code: 'ENOSPC', path: '/data/secrets.json.new' },
      EXTERNAL,
      'The disk of /data/secrets.json.new is full.',
    ],
    [{ code: 'ENOSPC' }, EXTERNAL, 'The disk of /data is full.'],
  ])('if the disk is full: %o', (fields, config, text) => {
    const message = messageOf(toStartError(Object.assign(new Error('x'), fields), config));
    expect(message).toContain(text);
    expect(message).toContain('Free some space');
  });

  test('if the database does not reply, without its password', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    const message = messageOf(toStartError(refused, EXTERNAL));
    expect(message).toContain('The database does not reply: the database server db.internal:5432/canvass.');
    expect(message).not.toContain('secret');
  });

  test.each([
    ['28P01', 'refuses the user or the password'],
    ['3D000', 'does not have the database'],
  ])('if the database server refuses: %s', (code, reason) => {
    const message = messageOf(toStartError(Object.assign(new Error('x'), { code }), EXTERNAL));
    expect(message).toContain(`the database server db.internal:5432/canvass ${reason} of DATABASE_URL`);
    expect(message).not.toContain('secret');
  });

  test('or remains unchanged for another error', () => {
    const bug = new TypeError('x');
    expect(toStartError(bug, EXTERNAL)).toBe(bug);
  });
});
