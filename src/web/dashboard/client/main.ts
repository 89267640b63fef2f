import { addDownloads } from './downloads.ts';
import { watchDoor } from './door.ts';
import { watchFilters } from './filters.ts';
import { watchFreshness } from './freshness.ts';
import { watchPointer } from './pointer.ts';

document.documentElement.classList.add('script');
const door = document.querySelector<HTMLFormElement>('form.enter');
if (door !== null) watchDoor(door);
else if (document.body.dataset.version !== undefined) {
  addDownloads(document);
  watchFilters();
  watchPointer();
  watchFreshness();
}
