import type { Actor } from './actors.ts';

export interface TestReport {
  id: number;
  /** `/api/reports/<id>` */
  at: string;
}

let count = 0;

/** Creates a report without slides. */
export async function newReport(author: Actor, fields: object = {}): Promise<TestReport> {
  const { body } = await author
    .post('/api/reports', { report_name: `Report ${(count += 1)}`, ...fields })
    .expect(201);
  const id: number = body.data.report_id;
  return { id, at: `/api/reports/${id}` };
}

/** Appends a slide and returns its id. */
export async function addSlide(author: Actor, { at }: TestReport, slide: object): Promise<number> {
  const { body } = await author.post(`${at}/slides`, slide).expect(201);
  return body.data.slide_id;
}

/** Uploads a picture to the report and returns its id. */
export async function addImage(author: Actor, { at }: TestReport, picture: Buffer): Promise<number> {
  const request = author.post(`${at}/images`).attach('image', picture, { filename: 'picture' });
  const { body } = await request.expect(201);
  return body.data.image_id;
}
