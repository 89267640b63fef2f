import bidiFactory, { type Bidi } from 'bidi-js';

/** The Unicode bidirectional algorithm. The package is CommonJS, which its types do not say. */
export const bidi = (bidiFactory as unknown as () => Bidi)();
