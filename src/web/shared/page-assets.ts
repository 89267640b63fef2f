import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Request, RequestHandler, Response } from 'express';

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Folders of the built pages: beside the built server, and in `dist/` when the server runs from its sources. */
const FOLDERS = ['../../../web/', '../../../dist/web/'].map((folder) => new URL(folder, import.meta.url));

/** A built file. Its name contains a hash of its content. */
interface PageAsset {
  fileName: string;
  plain: Buffer;
  gzip: Buffer;
  brotli: Buffer;
}

/** The entry files of an application, which its pages link to. */
export interface PageAssets {
  script: PageAsset;
  style: PageAsset;
}

export interface PageFiles {
  /** Returns the entry files. Throws if the pages are not built. */
  assets(): PageAssets;
  /** Sends the file of the path parameter `file`. */
  send: RequestHandler<{ file: string }>;
}

interface BuiltApplication extends PageAssets {
  files: ReadonlyMap<string, PageAsset>;
}

/** An entry of Vite's manifest; one per file that the build wrote. */
interface ManifestEntry {
  file: string;
  isEntry?: boolean;
  css?: string[];
  assets?: string[];
}

/** Loads the files of a browser application, a folder of `src/web`. They are read at the first request and kept in memory. */
export function loadPageFiles(application: string): PageFiles {
  let built: BuiltApplication | null = null;
  const load = () => (built ??= readApplication(application));
  return {
    assets: load,
    send: (request, response, next) => {
      const asset = load().files.get(request.params.file);
      if (asset === undefined) next();
      else sendAsset(request, response, asset);
    },
  };
}

function readApplication(application: string): BuiltApplication {
  const folder = FOLDERS.map((each) => path.join(fileURLToPath(each), application)).find(existsSync);
  if (folder === undefined)
    throw new Error(`The pages of "${application}" are not built: run "npm run build"`);
  const manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as Record<
    string,
    ManifestEntry
  >;
  const entries = Object.values(manifest);
  const names = new Set(entries.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]));
  const files = new Map(
    [...names].map((name) => {
      const asset = readAsset(path.join(folder, name));
      return [asset.fileName, asset];
    }),
  );
  const entryFile = (extension: string): PageAsset => {
    const entry = entries.find(({ file, isEntry }) => isEntry === true && file.endsWith(extension));
    const asset = files.get(path.basename(entry?.file ?? ''));
    if (asset === undefined) throw new Error(`The pages of "${application}" have no ${extension} file`);
    return asset;
  };
  return { script: entryFile('.js'), style: entryFile('.css'), files };
}

function readAsset(file: string): PageAsset {
  return {
    fileName: path.basename(file),
    plain: readFileSync(file),
    gzip: readFileSync(`${file}.gz`),
    brotli: readFileSync(`${file}.br`),
  };
}

function sendAsset(request: Request<{ file: string }>, response: Response, asset: PageAsset): void {
  const encoding = request.acceptsEncodings('br', 'gzip');
  response
    .type(path.extname(asset.fileName))
    .setHeader('Cache-Control', `public, max-age=${ONE_YEAR_SECONDS}, immutable`)
    .setHeader('Vary', 'Accept-Encoding');
  if (encoding !== false) response.setHeader('Content-Encoding', encoding);
  response.send(encoding === 'br' ? asset.brotli : encoding === 'gzip' ? asset.gzip : asset.plain);
}
