import { z } from 'zod';
import { userTypeOf } from '../../domain/access/caller.ts';
import { admin, member } from '../../http/access.ts';
import { idNumber, idParam, paginateItems, pagingQuery } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import type { CountedGroupRow, GroupMemberRow } from '../../repositories/groups.ts';
import { hexColor } from '../request-fields.ts';
import { defineRoute } from '../define-route.ts';
import { grantedDashboardSchema, presentGrantedDashboard, userSchema } from './users.ts';

const groupSchema = z
  .strictObject({
    group_id: z.int(),
    group_name: z.string(),
    group_description: z.string().nullable(),
    group_color: z.string(),
    member_count: z.int(),
    dashboard_count: z.int().describe('Number of shared dashboards that you can view'),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: 'Group',
    examples: [
      {
        group_id: 1,
        group_name: 'Client team',
        group_description: 'Sees the tracking dashboards',
        group_color: '#0f766e',
        member_count: 3,
        dashboard_count: 1,
        created_at: '2026-10-01T08:00:00.000Z',
      },
    ],
  });

const memberSchema = userSchema
  .pick({
    user_id: true,
    user_name: true,
    user_email: true,
    user_type: true,
    user_role: true,
    user_status: true,
  })
  .extend({ added_at: z.iso.datetime() })
  .meta({
    id: 'GroupMember',
    examples: [
      {
        user_id: 2,
        user_name: 'Grace Okafor',
        user_email: 'grace@meridian.example',
        user_type: 2,
        user_role: 'member',
        user_status: 1,
        added_at: '2026-10-01T08:00:00.000Z',
      },
    ],
  });

const presentGroup = (row: CountedGroupRow) => ({
  group_id: row.group_id,
  group_name: row.group_name,
  group_description: row.group_description,
  group_color: row.group_color,
  member_count: row.member_count,
  dashboard_count: row.dashboard_count,
  created_at: row.created_at.toISOString(),
});

const presentMember = (row: GroupMemberRow) => ({
  user_id: row.user_id,
  user_name: row.user_name,
  user_email: row.user_email,
  user_type: userTypeOf(row.user_role),
  user_role: row.user_role,
  user_status: row.user_status,
  added_at: row.added_at.toISOString(),
});

const MAX_IDS = 1_000;
const params = z.strictObject({ groupId: idParam });
const name = z.string().trim().min(1, 'is required').max(200);
const description = z.string().trim().max(2_000).nullable();
const NAME_TAKEN = {
  409: '`group_name_taken`: another group has this name, ignoring case',
};
const ignored = z.unknown().optional().describe('Read-only; ignored');

export const groupRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/groups',
    operationId: 'listGroups',
    summary: 'List groups',
    description: 'Returns the oldest group first.',
    access: member,
    query: z.strictObject({
      ...pagingQuery,
      search: z.string().max(200).optional().describe('Part of the name, ignoring case'),
    }),
    reply: listReply(groupSchema),
    async handler({ services, caller, query }) {
      const groups = await services.groups.list(caller, query.search);
      return paginateItems(groups.map(presentGroup), (group) => group.group_id, query);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/groups',
    operationId: 'createGroup',
    summary: 'Create a group',
    description:
      'The name is unique in the organization, ignoring case. `user_ids` and `dashboard_ids` are set in the same transaction: ' +
      'if one is unknown, of another organization or invisible to the caller, the reply is 400 and no group is created.',
    access: admin,
    body: z.strictObject({
      group_name: name,
      group_description: description.optional(),
      group_color: hexColor.nullable().optional().describe('Hex color. Default: #6366f1'),
      user_ids: z.array(idNumber).max(MAX_IDS).default([]).describe('Members of the group'),
      dashboard_ids: z
        .array(idNumber)
        .max(MAX_IDS)
        .default([])
        .describe('Dashboards to share with the members'),
    }),
    example: {
      group_name: 'Client team',
      group_description: 'Sees the tracking dashboards',
      group_color: '#0f766e',
    },
    reply: dataReply(groupSchema),
    status: 201,
    errors: NAME_TAKEN,
    async handler({ services, caller, body }) {
      const group = await services.groups.create(caller, {
        name: body.group_name,
        description: body.group_description ?? null,
        color: body.group_color ?? null,
        userIds: body.user_ids,
        dashboardIds: body.dashboard_ids,
      });
      return presentGroup(group);
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/groups/:groupId',
    operationId: 'updateGroup',
    summary: 'Update a group',
    description: 'Omitted fields keep their values.',
    access: admin,
    params,
    body: z.strictObject({
      group_name: name.optional(),
      group_description: description.optional(),
      group_color: hexColor.nullable().optional().describe('Hex color; null: reset to the default'),
      group_id: ignored,
      member_count: ignored,
      dashboard_count: ignored,
      created_at: ignored,
    }),
    example: {
      group_name: 'Client team, coffee',
    },
    reply: dataReply(groupSchema),
    errors: NAME_TAKEN,
    async handler({ services, caller, params: { groupId }, body }) {
      const group = await services.groups.update(caller, groupId, {
        name: body.group_name,
        description: body.group_description,
        color: body.group_color,
      });
      return presentGroup(group);
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/groups/:groupId',
    operationId: 'deleteGroup',
    summary: 'Delete a group',
    description:
      'Members immediately lose access to dashboards shared only through this group. The users remain.',
    access: admin,
    params,
    reply: emptyReply,
    handler: ({ services, caller, params: { groupId } }) => services.groups.delete(caller, groupId),
  }),
  defineRoute({
    method: 'get',
    path: '/api/groups/:groupId/members',
    operationId: 'listGroupMembers',
    summary: 'List group members',
    description: 'Returns members in the order they were added, including pending and suspended users.',
    access: admin,
    params,
    query: z.strictObject(pagingQuery),
    reply: listReply(memberSchema),
    async handler({ services, caller, params: { groupId }, query }) {
      const members = await services.groups.listMembers(caller, groupId);
      return paginateItems(members.map(presentMember), (one) => one.user_id, query);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/groups/:groupId/members',
    operationId: 'addGroupMembers',
    summary: 'Add group members',
    description:
      'Adds all users, or none if one is not in the organization. Existing members are kept. Returns all members of the group.',
    access: admin,
    params,
    body: z.strictObject({ user_ids: z.array(idNumber).min(1).max(MAX_IDS) }),
    example: {
      user_ids: [2],
    },
    reply: listReply(memberSchema),
    status: 201,
    async handler({ services, caller, params: { groupId }, body }) {
      const members = await services.groups.addMembers(caller, groupId, body.user_ids);
      return paginateItems(members.map(presentMember), (one) => one.user_id, {});
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/groups/:groupId/members/:userId',
    operationId: 'removeGroupMember',
    summary: 'Remove a group member',
    description: "The user loses the group's dashboards immediately.",
    access: admin,
    params: params.extend({ userId: idParam }),
    reply: emptyReply,
    handler: ({ services, caller, params: { groupId, userId } }) =>
      services.groups.removeMember(caller, groupId, userId),
  }),
  defineRoute({
    method: 'get',
    path: '/api/groups/:groupId/dashboards',
    operationId: 'listGroupDashboards',
    summary: 'List dashboards of a group',
    description: 'Returns the dashboards of the group that the caller can view.',
    access: admin,
    params,
    query: z.strictObject(pagingQuery),
    reply: listReply(grantedDashboardSchema),
    async handler({ services, caller, params: { groupId }, query }) {
      const dashboards = await services.groups.listDashboards(caller, groupId);
      return paginateItems(dashboards.map(presentGrantedDashboard), (one) => one.dashboard_id, query);
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/groups/:groupId/dashboards',
    operationId: 'setGroupDashboards',
    summary: 'Replace the dashboards of a group',
    description:
      'Replaces the dashboards of the group that the caller can view; `[]` removes all of them. Dashboards in workspaces ' +
      'invisible to the caller are not changed.',
    access: admin,
    params,
    body: z.strictObject({ dashboard_ids: z.array(idNumber).max(MAX_IDS) }),
    example: {
      dashboard_ids: [1],
    },
    reply: listReply(grantedDashboardSchema),
    async handler({ services, caller, params: { groupId }, body }) {
      const dashboards = await services.groups.setDashboards(caller, groupId, body.dashboard_ids);
      return paginateItems(dashboards.map(presentGrantedDashboard), (one) => one.dashboard_id, {});
    },
  }),
];
