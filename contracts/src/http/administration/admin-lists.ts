import { z } from 'zod'
import { contactId, userId } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { subscriptionStatus } from '../../values/kiwify.ts'
import type { ReadingKind } from '../../values/reading.ts'
import { role } from '../../values/role.ts'
import { endpoint } from '../endpoint.ts'
import { serviceStatus } from '../live-chat.ts'
import { notKnownYet } from '../not-known-yet.ts'
import { areInOrder, days, pageOf, pageQuery, search, searchedPageQuery, sorting, wrongDays } from '../page.ts'

export const listedUser = z.object({
  id: userId,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  isEmailConfirmed: z.boolean(),
  profileImageUrl: z.string().nullable(),
  createdAt: instant,
  roles: z.array(role),
  subscriptionStatus,
  subscriptionEnd: instant.nullable(),
  /** Nothing was paid yet. */
  isTrial: notKnownYet(z.boolean()),
})

/** Null after the account's erasure. */
const account = z.object({ id: userId, name: z.string(), email: z.string() }).nullable()

export const listedContact = z.object({
  id: contactId,
  name: z.string().nullable(),
  phone: z.string().nullable(),
  serviceStatus,
  lastActivity: instant,
  account,
})

export const listedMessage = z.object({
  key: z.string(),
  content: z.string(),
  timestamp: instant,
  sender: z.enum(['user', 'contact']),
  contactId,
  contactName: z.string().nullable(),
  contactPhone: z.string().nullable(),
  account,
})

export const listedProject = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instant,
  status: z.enum(['active', 'paused']),
  isSample: notKnownYet(z.boolean()),
  account,
})

export const summary = z.object({
  users: z.object({
    total: z.int(),
    active: z.int(),
    /** Neither active nor lasting. */
    expired: z.int(),
    cancelled: z.int(),
    expiringSoon: z.int(),
  }),
  /** Merged contacts count as one. */
  contacts: notKnownYet(z.int()),
  messages: z.int(),
  projects: notKnownYet(z.int()),
  revenue: z.object({
    /** Ever paid. */
    grossCents: z.int(),
    /** Without refunds. */
    netCents: z.int(),
  }),
})

/** `ending`: active, with seven days left at most. */
export const userStatuses = ['active', 'expired', 'cancelled', 'ending'] as const
export const userSorts = ['created', 'name', 'end'] as const

const usersShape = searchedPageQuery.extend({
  status: z.enum(userStatuses, { error: 'Escolha uma situação da lista.' }).optional(),
  /** Of the registration. */
  ...days,
  ...sorting(userSorts),
})

/** Oldest first, from the first month in which something was to the last. */
export const month = z.object({
  /** In São Paulo: `2026-11`. */
  month: z.string(),
  newAccounts: z.int(),
  erasedAccounts: z.int(),
  /** Access that ended, or was taken away. */
  endedAccess: z.int(),
  messages: z.int(),
  linkedNumbers: z.int(),
  unlinkedNumbers: z.int(),
  /** Paid in the month and not returned since. */
  revenueCents: z.int(),
})

const common = { method: 'GET', area: 'Administração', role: 'admin' } as const
/** The whole filtered list. */
const csv = { ...common, query: z.object({ search: search.optional() }), file: 'reply', replies: {} } as const

const all = (what: ReadingKind) => ({ what, of: 'all' }) as const

/** All but the numbers are recorded as read. */
export const adminListEndpoints = {
  summary: endpoint({
    service: 'projections',
    ...common,
    reads: 'nothing',
    path: '/api/admin/summary',
    summary: 'Usuários, contatos, mensagens, projetos e receita, em números.',
    replies: { 200: summary },
  }),
  /** The last 24 months. */
  curves: endpoint({
    service: 'projections',
    ...common,
    reads: 'nothing',
    path: '/api/admin/curves',
    summary: 'Contas novas, receita, acessos encerrados, mensagens e números, por mês.',
    replies: { 200: z.array(month) },
  }),
  /** Latest first. `search` matches word prefixes, without accents. */
  users: endpoint({
    service: 'projections',
    ...common,
    reads: all('users'),
    path: '/api/admin/users',
    summary: 'Usuários, do mais recente, por busca.',
    query: usersShape.refine(areInOrder, wrongDays),
    replies: { 200: pageOf(listedUser) },
  }),
  usersFile: endpoint({
    service: 'projections',
    ...csv,
    query: usersShape.omit({ cursor: true }).refine(areInOrder, wrongDays),
    reads: all('users_file'),
    path: '/api/admin/users.csv',
    summary: 'Os usuários como CSV.',
  }),
  contacts: endpoint({
    service: 'projections',
    ...common,
    reads: all('contacts'),
    path: '/api/admin/contacts',
    summary: 'Contatos de todas as contas, do mais recente, por busca.',
    query: searchedPageQuery,
    replies: { 200: pageOf(listedContact) },
  }),
  contactsFile: endpoint({
    service: 'projections',
    ...csv,
    reads: all('contacts_file'),
    path: '/api/admin/contacts.csv',
    summary: 'Os contatos como CSV.',
  }),
  messages: endpoint({
    service: 'projections',
    ...common,
    reads: all('messages'),
    path: '/api/admin/messages',
    summary: 'Mensagens de todas as contas, da mais recente.',
    query: pageQuery,
    replies: { 200: pageOf(listedMessage) },
  }),
  messagesFile: endpoint({
    service: 'projections',
    ...common,
    reads: all('messages_file'),
    path: '/api/admin/messages.csv',
    file: 'reply',
    replies: {},
    summary: 'As 10.000 mensagens mais recentes como CSV.',
  }),
  projects: endpoint({
    service: 'projections',
    ...common,
    reads: all('projects'),
    path: '/api/admin/projects',
    summary: 'Projetos de automação de todas as contas.',
    query: pageQuery,
    replies: { 200: pageOf(listedProject) },
  }),
}

export type UserStatus = (typeof userStatuses)[number]
export type UserSort = (typeof userSorts)[number]
export type ListedUser = z.infer<typeof listedUser>
export type ListedContact = z.infer<typeof listedContact>
export type ListedMessage = z.infer<typeof listedMessage>
export type ListedProject = z.infer<typeof listedProject>
export type Month = z.infer<typeof month>
export type Summary = z.infer<typeof summary>
