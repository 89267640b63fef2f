import { escapeHtml } from '../../lib/escape-html.ts';

/**
 * Returns the HTML with which a website embeds a survey. The page of the survey reports its height; the script gives it to the frame, so that
 * respondents scroll only the website. `heightPixels` holds until then.
 */
export function embedCode({
  url,
  title,
  heightPixels,
}: {
  url: string;
  title: string;
  heightPixels: number;
}): string {
  const frame =
    `<iframe src="${escapeHtml(url)}" title="${escapeHtml(title)}" loading="lazy" ` +
    `style="width:100%;height:${heightPixels}px;border:0"></iframe>`;
  return `${frame}\n${HEIGHT_SCRIPT}`;
}

/** The frame before the script may be one of several of the website. */
const HEIGHT_SCRIPT = `<script>
(function (frame) {
  addEventListener('message', function (event) {
    if (event.source !== frame.contentWindow || !event.data) return;
    if (event.data.canvassHeight > 0) frame.style.height = event.data.canvassHeight + 'px';
  });
})(document.currentScript.previousElementSibling);
</script>`;
