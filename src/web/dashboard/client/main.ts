import { addDownloads } from './downloads.ts';
import { setUpAccessForm } from './access-form.ts';
import { setUpFilters } from './filters.ts';
import { keepFresh } from './freshness.ts';
import { setUpTooltips } from './tooltip.ts';

document.documentElement.classList.add('script');
const accessForm = document.querySelector<HTMLFormElement>('form.enter');
if (accessForm !== null) setUpAccessForm(accessForm);
else if (document.body.dataset.version !== undefined) {
  addDownloads(document);
  setUpFilters();
  setUpTooltips();
  keepFresh();
}
