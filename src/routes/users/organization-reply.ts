import { z } from 'zod';

export const organizationSchema = z
  .strictObject({
    organization_id: z.int(),
    organization_name: z.string(),
    organization_slug: z.string().describe('Part of the addresses of public dashboards'),
  })
  .meta({ id: 'Organization' });
