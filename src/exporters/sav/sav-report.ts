export type SavLoss =
  | 'name_changed'
  | 'file_label_cut'
  | 'variable_label_cut'
  | 'value_label_cut'
  | 'set_label_cut'
  | 'labelled_value_cut'
  | 'missing_value_cut'
  | 'text_cut'
  /** SPSS strings have at most 32,767 bytes. */
  | 'texts_too_long'
  /** SPSS allows three per variable. */
  | 'missing_value_left_out'
  /** SPSS requires at least two variables. */
  | 'set_left_out'
  /** A cell that is not a number or a date where one is required: written as missing. */
  | 'cell_unreadable';

interface SavReportLine {
  loss: SavLoss;
  /** The requested name of the variable or set; empty for the file. */
  name: string;
  count: number;
}

/** Collects the data that the format cannot hold. Complete when the stream of the file has ended. */
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
