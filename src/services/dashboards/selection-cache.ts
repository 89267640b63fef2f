import type { ViewerFilters } from '../../domain/charts/disclosure/differencing.ts';
import type { Audience } from '../../domain/charts/disclosure/protection.ts';
import type { CompiledFilter } from '../../domain/dataset/filter/filter.ts';
import { selectAndCountRows } from '../../domain/dataset/filter/select-rows.ts';
import type { OpenDataset } from '../datasets/datasets.ts';
import type { ResolvedChart } from './resolve-chart.ts';

/** Row selections, shared by charts with the same filters: complete responses, without test responses in public. */
export class SelectionCache {
  private readonly isPublic: boolean;
  private readonly selected = new Map<string, ReturnType<typeof selectAndCountRows>>();
  private readonly names = new Map<CompiledFilter, number>();

  constructor(
    private readonly open: OpenDataset,
    audience: Audience,
  ) {
    this.isPublic = audience === 'public';
  }

  /** The viewer's filter choices and the rows that they narrow; null without choices. */
  viewerFilters({ filter, noFilter, choices, counting }: ResolvedChart): ViewerFilters | null {
    if (choices.length === 0) return null;
    const { dataset } = this.open;
    return {
      mask: this.select({ filter, filters: noFilter, counting }).mask,
      choices: choices.map(({ entry, values, filter: chosen }) => {
        return { entry, values, matches: chosen.evaluate(dataset) };
      }),
    };
  }

  select({ filter, filters, counting }: Pick<ResolvedChart, 'filter' | 'filters' | 'counting'>) {
    const rowSelection = this.isPublic ? { ...counting, includeTest: false } : counting;
    const key = JSON.stringify([this.filterId(filters), this.filterId(filter), rowSelection]);
    let selected = this.selected.get(key);
    if (selected === undefined) {
      const { dataset } = this.open;
      const both = {
        matchesAll: filters.matchesAll && filter.matchesAll,
        narrow: (of: typeof dataset, rows: Uint8Array) => {
          filters.narrow(of, rows);
          filter.narrow(of, rows);
        },
      };
      selected = selectAndCountRows(dataset, { ...rowSelection, filter: both });
      this.selected.set(key, selected);
    }
    return selected;
  }

  /** Equal filters are the same object; see FilterCache. */
  private filterId(filter: CompiledFilter): number {
    const name = this.names.get(filter) ?? this.names.size;
    this.names.set(filter, name);
    return name;
  }
}
