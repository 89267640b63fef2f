export interface LockedPackage {
  name: string;
  version: string;
  license: string;
  /** It runs a script when it is installed. */
  hasInstallScript: boolean;
  /** The checksum of its bytes, `sha512-…`; null: it has none. */
  integrity: string | null;
}

export function lockedPackages(): LockedPackage[];
/** The part of package-lock.json that `npm ci` needs beside a package.json with these fields. */
export function lockfileFor(manifest: object): { packages: Record<string, { version: string }> };
export function licenseList(packages: readonly LockedPackage[]): string;

interface Component {
  type: string;
  name: string;
  version: string;
  purl: string;
  licenses: { expression: string }[];
}

export function billOfMaterials(): {
  bomFormat: string;
  specVersion: string;
  metadata: { component: Component };
  components: (Component & { hashes: { alg: string; content: string }[] })[];
};
