import { PACKAGE, RELATION, XML_HEAD, xmlText } from './xml.ts';

/** What a part of the file leads to. */
export class Relations {
  readonly #all: string[] = [];
  readonly #links = new Map<string, string>();

  /** `type` is a word such as `slideLayout`; the target is relative to the part. */
  add(type: string, target: string): string {
    return this.#added(type, target, '');
  }

  /** A place on the web, once for each address. */
  link(address: string): string {
    const known = this.#links.get(address);
    if (known !== undefined) return known;
    const id = this.#added('hyperlink', address, ' TargetMode="External"');
    this.#links.set(address, id);
    return id;
  }

  #added(type: string, target: string, mode: string): string {
    const id = `rId${this.#all.length + 1}`;
    const full = type.startsWith('http') ? type : `${RELATION}/${type}`;
    this.#all.push(`<Relationship Id="${id}" Type="${full}" Target="${xmlText(target)}"${mode}/>`);
    return id;
  }

  xml(): string {
    return `${XML_HEAD}<Relationships xmlns="${PACKAGE}/relationships">${this.#all.join('')}</Relationships>`;
  }
}
