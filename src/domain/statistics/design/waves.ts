import type { LinearizedDesignInput } from './sample-design.ts';

export interface SeparatedWaves extends Pick<LinearizedDesignInput, 'strata' | 'population'> {
  areIndependent: boolean;
  /** The stratum of the input that a stratum belongs to. */
  stratumOf: (stratum: number) => number;
}

/**
 * The strata of a design with several waves. Waves with other clusters are independent samples: the strata of each wave are strata of their
 * own, so estimates of different waves have no covariance. Waves that share a cluster (the same respondents or the same sampling points again) keep
 * their strata, and the covariance is estimated from the shared clusters.
 *
 * @param waves the wave of each row, from 0; negative: none, so the row is not in the design
 */
export function separateWaves(
  { mask, strata = null, clusters = null, population = null }: LinearizedDesignInput,
  waves: Int32Array,
): SeparatedWaves {
  const stratumOf = (row: number) => (strata === null ? 0 : strata[row]!);
  const count = 1 + mask.reduce((most, _, row) => Math.max(most, stratumOf(row)), 0);
  const waveOfCluster = new Map<number, number>();
  for (let row = 0; clusters !== null && row < mask.length; row++) {
    const [wave, stratum, cluster] = [waves[row]!, stratumOf(row), clusters[row]!];
    if (mask[row] !== 1 || wave < 0 || stratum < 0 || cluster < 0) continue;
    const key = cluster * count + stratum;
    const known = waveOfCluster.get(key);
    if (known !== undefined && known !== wave)
      return { strata, population, areIndependent: false, stratumOf: (each) => each };
    waveOfCluster.set(key, wave);
  }
  const most = waves.reduce((found, wave) => Math.max(found, wave), 0);
  const nested = Int32Array.from(waves, (wave, row) =>
    wave < 0 || stratumOf(row) < 0 ? -1 : wave * count + stratumOf(row),
  );
  return {
    strata: nested,
    population: population && {
      kind: population.kind,
      byStratum: Array.from(
        { length: (most + 1) * count },
        (_, stratum) => population.byStratum[stratum % count]!,
      ),
    },
    areIndependent: true,
    stratumOf: (each) => each % count,
  };
}
