import bidiFactory, { type Bidi } from 'bidi-js';

/** The Unicode bidirectional algorithm. The package is CommonJS, unlike its types. */
export const bidi = (bidiFactory as unknown as () => Bidi)();
