import type { OpenedAtOnce } from '../../../shared/areas.ts';
import { takeAddressParameter } from '../../../shared/client/navigation.tsx';

/**
 * Returns whether the address opens this dialog or menu, and removes it from the address, so that loading the page again does not open it
 * again.
 */
export function takeOpened(opened: OpenedAtOnce): boolean {
  if (new URLSearchParams(location.search).get('open') !== opened) return false;
  takeAddressParameter('open');
  return true;
}
