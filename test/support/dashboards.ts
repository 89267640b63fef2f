import type { Actor, Organization } from './actors.ts';

export interface TestDashboard {
  id: number;
  slug: string;
  pageId: number;
  /** `/api/dashboards/<id>` */
  at: string;
}

let count = 0;

/** Creates a dashboard with one page. */
export async function newDashboard(author: Actor, fields: object = {}): Promise<TestDashboard> {
  const { body } = await author
    .post('/api/dashboards', { dashboard_name: `Board ${(count += 1)}`, ...fields })
    .expect(201);
  const { dashboard_id: id, dashboard_slug: slug } = body.data as {
    dashboard_id: number;
    dashboard_slug: string;
  };
  const at = `/api/dashboards/${id}`;
  const page = await author.post(`${at}/pages`, { page_title: 'One' }).expect(201);
  return { id, slug, at, pageId: page.body.data.page_id };
}

/** Adds an element to the page and returns its id. */
export async function addChart(
  author: Actor,
  { at, pageId }: TestDashboard,
  chart_type: string,
  chart_config: object,
): Promise<number> {
  const chart = { page_id: pageId, chart_type, chart_title: `A ${chart_type}`, chart_config };
  const { body } = await author.post(`${at}/charts`, chart).expect(201);
  return body.data.chart_id;
}

export async function share(author: Actor, { at }: TestDashboard, body: object): Promise<number> {
  const reply = await author.post(`${at}/shares`, body).expect(201);
  return reply.body.data.share_id;
}

/** Creates a dashboard with these elements and returns the path of its shared page. */
export async function createDashboard(
  { admin, slug }: Organization,
  name: string,
  pages: object[][],
): Promise<{ id: number; path: string }> {
  const created = await admin.post('/api/dashboards', { dashboard_name: name }).expect(201);
  const { dashboard_id: id, dashboard_slug: dashboardSlug } = created.body.data;
  for (const [index, elements] of pages.entries()) {
    const page = { page_title: `Page ${index + 1}` };
    const { body } = await admin.post(`/api/dashboards/${id}/pages`, page).expect(201);
    for (const element of elements) {
      const chart = { page_id: body.data.page_id, ...element };
      await admin.post(`/api/dashboards/${id}/charts`, chart).expect(201);
    }
  }
  return { id: Number(id), path: `/d/${slug}/${dashboardSlug}` };
}
