import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { program } from './external-programs.ts';

export const IMPRESS = program('libreoffice-impress', () => spawnSync('soffice', ['--version']).status === 0);

/** Converts a PowerPoint file to PDF with LibreOffice, which stores its user profile in the folder. */
export function convertToPdf(folder: string, pptx: Uint8Array): Buffer {
  const file = path.join(folder, 'slides.pptx');
  writeFileSync(file, pptx);
  const profile = pathToFileURL(path.join(folder, 'profile')).href;
  const { stdout, stderr } = spawnSync(
    'soffice',
    [`-env:UserInstallation=${profile}`, '--headless', '--convert-to', 'pdf', '--outdir', folder, file],
    { encoding: 'utf8', timeout: 120_000 },
  );
  try {
    return readFileSync(path.join(folder, 'slides.pdf'));
  } catch {
    throw new Error(`LibreOffice wrote no PDF: ${stdout}${stderr}`);
  }
}
