import { z } from 'zod';
import { samplingDesignSchema } from '../../domain/survey/sampling-design.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply, emptyReply } from '../../http/reply.ts';
import type { CheckedDesign } from '../../services/surveys/survey-designs.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, readOnly, surveyQuery } from '../guards.ts';

const count = z.int().nonnegative();

const checkSchema = z
  .strictObject({
    responses: count.describe('Complete responses in the design'),
    without_weight: count.describe(
      'Responses that are left out because their weight is missing, 0 or negative',
    ),
    without_stratum: count.describe('Other responses that are left out because their stratum is missing'),
    without_cluster: count.describe('Other responses that are left out because their cluster is missing'),
    strata: count.nullable().describe('null for replicate weights'),
    clusters: count.nullable().describe('null for replicate weights'),
    degrees_of_freedom: count.describe(
      'Clusters minus strata; of replicate weights their rank minus 1, or as declared',
    ),
    problems: z
      .array(z.strictObject({ field: z.string(), message: z.string() }))
      .describe('Why figures cannot use the design: they are refused with `design_invalid` until it fits'),
  })
  .meta({ id: 'DesignCheck' });

const surveyDesignSchema = z
  .strictObject({
    design: samplingDesignSchema.nullable().describe('null: the survey has no design'),
    check: checkSchema
      .nullable()
      .describe('What the design makes of the current responses; null without a design'),
  })
  .meta({
    id: 'SurveyDesign',
    examples: [
      {
        design: {
          method: 'linearized',
          weight: 'WEIGHT',
          strata: 'REGION',
          clusters: ['PSU'],
          population: null,
          lonely_clusters: 'fail',
        },
        check: {
          responses: 1200,
          without_weight: 0,
          without_stratum: 0,
          without_cluster: 0,
          strata: 8,
          clusters: 120,
          degrees_of_freedom: 112,
          problems: [],
        },
      },
    ],
  });

const ofSurvey = z.strictObject({ surveyId: idParam });

function presentDesign({ design, check }: CheckedDesign) {
  return {
    design,
    check: check && {
      responses: check.responses,
      without_weight: check.leftOut.withoutWeight,
      without_stratum: check.leftOut.withoutStratum,
      without_cluster: check.leftOut.withoutCluster,
      strata: check.strata,
      clusters: check.clusters,
      degrees_of_freedom: check.degreesOfFreedom,
      problems: check.problems.map(({ field, message }) => ({ field, message })),
    },
  };
}

export const designRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/design',
    operationId: 'getSurveyDesign',
    summary: 'Get the sampling design',
    description:
      'Returns how the respondents were sampled, and what the design makes of the current complete responses. `check.problems` names columns that were ' +
      'deleted, strata with one cluster and the like.',
    access: onSurvey('view'),
    params: ofSurvey,
    query: surveyQuery,
    reply: dataReply(surveyDesignSchema),
    handler: async ({ services, scope }) => presentDesign(await services.surveyDesigns.get(scope)),
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:surveyId/design',
    operationId: 'saveSurveyDesign',
    summary: 'Save the sampling design',
    description:
      'Declares how the respondents were sampled, as a whole: strata, clusters, finite population and weight (`method`: `linearized`), or a weight with replicate ' +
      'weights (`brr`, `fay`, `jk1`, `jkn`, `bootstrap`). A survey has at most one design; it replaces the one that is there. Columns are named by code: ' +
      'answers, metadata, derived columns and weights. Texts that respondents write cannot be strata or clusters.\n\n' +
      'Responses without a positive weight, a stratum or a cluster are not in the design. A design that does not fit the current responses is saved, and `check.problems` of the ' +
      'reply says why.',
    access: onSurvey('edit'),
    params: ofSurvey,
    query: surveyQuery,
    body: z.strictObject({ design: samplingDesignSchema, check: readOnly }),
    example: {
      design: { method: 'linearized', clusters: ['Q4'], population: { kind: 'fractions', value: 0.02 } },
    },
    reply: dataReply(surveyDesignSchema),
    handler: async ({ services, scope, body }) =>
      presentDesign(await services.surveyDesigns.save(scope, body.design)),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/surveys/:surveyId/design',
    operationId: 'deleteSurveyDesign',
    summary: 'Delete the sampling design',
    description:
      'Figures then treat the responses as a simple random sample. Deleting a design that is not there does nothing.',
    access: onSurvey('edit'),
    params: ofSurvey,
    query: surveyQuery,
    reply: emptyReply,
    handler: ({ services, scope }) => services.surveyDesigns.remove(scope),
  }),
];
