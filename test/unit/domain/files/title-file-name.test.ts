import { describe, expect, test } from 'vitest';
import { titleFileName } from '../../../../src/domain/files/title-file-name.ts';

describe('the file name of a title', () => {
  test('has no characters that file systems refuse', () => {
    expect(titleFileName('Brand A/B: "Spring" <2027>?', 'survey')).toBe('Brand A B Spring 2027');
  });

  test('keeps letters of any script', () => {
    expect(titleFileName('Café – 調査', 'survey')).toBe('Café – 調査');
  });

  test('does not start or end with a period or a space', () => {
    expect(titleFileName(' ../hidden. ', 'survey')).toBe('hidden');
  });

  test('is cut between characters', () => {
    const name = titleFileName(`${'a'.repeat(119)}😀😀`, 'survey');
    expect(name).toBe(`${'a'.repeat(119)}😀`);
    expect(encodeURIComponent(name)).toContain('%F0%9F%98%80');
  });

  test('is the fallback if nothing is left', () => {
    expect(titleFileName('???', 'survey')).toBe('survey');
  });
});
