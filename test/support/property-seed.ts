import fc from 'fast-check';

const FIXED_SEED = 20_261_122;

/** Property tests draw the same cases in every run of `npm test`. `npm run test:explore` sets another seed for each round. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? FIXED_SEED) });
