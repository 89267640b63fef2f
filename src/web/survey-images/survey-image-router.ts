import { Router } from 'express';
import type { SurveyImageService } from '../../services/surveys/survey-images.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * The router of `/images/<token>`, the uploaded images of questions and options, which respondents open without an account. The bytes of
 * an address never change. It is mounted at `/images`.
 */
export function createSurveyImageRouter(images: SurveyImageService): Router {
  const router = Router();
  router.get('/:token', async ({ params }, response) => {
    const { content_type: contentType, picture } = await images.open(params.token);
    response
      .set({
        'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
        'Content-Disposition': 'inline',
        // Nothing in an image may load or run, should a browser open it as a page.
        'Content-Security-Policy': "default-src 'none'; sandbox",
        // Pages of other origins that show the survey with the API load its images.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Content-Type': contentType,
        'X-Content-Type-Options': 'nosniff',
      })
      .send(picture);
  });
  return router;
}
