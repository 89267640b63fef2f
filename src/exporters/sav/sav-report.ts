export type SavLoss =
  | 'name_changed'
  | 'file_label_cut'
  | 'variable_label_cut'
  | 'value_label_cut'
  | 'set_label_cut'
  | 'labelled_value_cut'
  | 'missing_value_cut'
  | 'text_cut'
  /** SPSS knows none of more than 32,767 bytes. */
  | 'texts_too_long'
  /** SPSS has room for three. */
  | 'missing_value_left_out'
  /** SPSS wants two variables at least. */
  | 'set_left_out'
  /** A cell that is no number, or no moment, where one should be: written as missing. */
  | 'cell_unreadable';

interface SavReportLine {
  loss: SavLoss;
  /** The variable or the set, by the name it was given; empty for the file itself. */
  name: string;
  count: number;
}

/** What of the data the format had no room for. Complete once the file's stream has ended. */
export class SavReport {
  private readonly linesByKey = new Map<string, SavReportLine>();

  add(loss: SavLoss, name: string, count = 1): void {
    const key = `${loss} ${name}`;
    const line = this.linesByKey.get(key);
    if (line === undefined) this.linesByKey.set(key, { loss, name, count });
    else line.count += count;
  }

  lines(): SavReportLine[] {
    return [...this.linesByKey.values()];
  }
}
