import {
  buildLinearizedDesign,
  type LinearizedDesignInput,
} from '../../../../../src/domain/statistics/design/sample-design.ts';
import { readDesignData } from '../../../../support/survey-designs.ts';

export const apistrat = readDesignData('apistrat');
export const apiclus1 = readDesignData('apiclus1');
export const apiclus2 = readDesignData('apiclus2');

/** svydesign(~1, strata = ~stype, weights = ~pw, fpc = ~fpc, data = apistrat) */
export const stratified = (settings: Partial<LinearizedDesignInput> = {}) =>
  buildLinearizedDesign({
    mask: apistrat.mask,
    weights: apistrat.numbers('pw'),
    strata: apistrat.indices('stype').indices,
    population: { kind: 'sizes', byStratum: [4421, 755, 1018] },
    ...settings,
  });

/** svydesign(~dnum, weights = ~pw, fpc = ~fpc, data = apiclus1) */
export const clustered = (settings: Partial<LinearizedDesignInput> = {}) =>
  buildLinearizedDesign({
    mask: apiclus1.mask,
    weights: apiclus1.numbers('pw'),
    clusters: apiclus1.indices('dnum').indices,
    population: { kind: 'sizes', byStratum: [757] },
    ...settings,
  });

/** svydesign(~dnum, weights = ~pw, fpc = ~fpc1, data = apiclus2) */
export const firstStage = () =>
  buildLinearizedDesign({
    mask: apiclus2.mask,
    weights: apiclus2.numbers('pw'),
    clusters: apiclus2.indices('dnum').indices,
    population: { kind: 'sizes', byStratum: [757] },
  });

/** svydesign(~1, weights = ~pw, data = apistrat) */
export const weighted = () => buildLinearizedDesign({ mask: apistrat.mask, weights: apistrat.numbers('pw') });
