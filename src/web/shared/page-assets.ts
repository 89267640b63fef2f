import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';

/** A file of the page, ready to be sent; its name changes with its content. */
export interface PageAsset {
  fileName: string;
  contentType: string;
  plain: Buffer;
  gzip: Buffer;
  brotli: Buffer;
}

export interface PageAssets {
  script: PageAsset;
  style: PageAsset;
}

/** Where a page's script and style begin. */
export interface PageSources {
  script: URL;
  style: URL;
}

/** Browsers of the last three years or so. */
const BROWSERS = ['chrome109', 'firefox115', 'safari16.4'];

/** Bundles the page's script and style, in memory: there is no build step and nothing on disk to fall behind the source. */
export async function buildPageAssets(sources: PageSources): Promise<PageAssets> {
  const { outputFiles } = await build({
    entryPoints: { page: fileURLToPath(sources.script), style: fileURLToPath(sources.style) },
    bundle: true,
    minify: true,
    write: false,
    outdir: '/',
    format: 'esm',
    target: BROWSERS,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'silent',
    tsconfigRaw: {},
  });
  const output = (extension: string) =>
    Buffer.from(outputFiles.find(({ path }) => path.endsWith(extension))!.contents);
  const [script, style] = await Promise.all([
    asset(output('.js'), 'js', 'text/javascript; charset=utf-8'),
    asset(output('.css'), 'css', 'text/css; charset=utf-8'),
  ]);
  return { script, style };
}

async function asset(plain: Buffer, extension: string, contentType: string): Promise<PageAsset> {
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 16);
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(plain, { level: 9 }),
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  ]);
  return { fileName: `page-${hash}.${extension}`, contentType, plain, gzip: zipped, brotli };
}
