import { z } from 'zod'
import { contactId, userId } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { subscriptionStatus } from '../../values/kiwify.ts'
import type { ReadingKind } from '../../values/reading.ts'
import { role } from '../../values/role.ts'
import { endpoint } from '../endpoint.ts'
import { messageStatus, serviceStatus } from '../live-chat.ts'
import { notKnownYet } from '../not-known-yet.ts'
import {
  areInOrder,
  days,
  pageOf,
  pageQuery,
  search,
  searchedBody,
  sorting,
  withoutSearch,
  wrongDays,
} from '../page.ts'

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

export const messageSenders = ['user', 'contact'] as const

export const listedMessage = z.object({
  key: z.string(),
  content: z.string(),
  timestamp: instant,
  sender: z.enum(messageSenders),
  /** Of what the tenant sent; null of what arrived. */
  status: messageStatus.nullable(),
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

const usersShape = pageQuery.extend({
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
const csv = { ...common, file: 'reply', replies: {} } as const
/** Not a GET: names, e-mails and numbers are in no URL. */
const post = { ...common, method: 'POST', changesNothing: true } as const
const csvOfSearch = { ...post, file: 'reply', replies: {} } as const

const messagesShape = pageQuery.extend({
  status: z.enum(messageStatus.options, { error: 'Escolha uma situação da lista.' }).optional(),
  sender: z.enum(messageSenders, { error: 'Escolha quem escreveu.' }).optional(),
  /** When Prosa stored them. */
  ...days,
})
/** `search`: words of the text. */
const messagesBody = searchedBody(
  messagesShape.extend({
    /** Name or number of the contact. */
    contact: search.optional(),
  }),
)

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
    query: usersShape.extend(withoutSearch).refine(areInOrder, wrongDays),
    replies: { 200: pageOf(listedUser) },
  }),
  usersFound: endpoint({
    service: 'projections',
    ...post,
    reads: all('users'),
    path: '/api/admin/users/search',
    summary: 'Usuários por nome ou e-mail, do mais recente.',
    body: searchedBody(usersShape).refine(areInOrder, wrongDays),
    replies: { 200: pageOf(listedUser) },
  }),
  usersFile: endpoint({
    service: 'projections',
    ...csv,
    query: usersShape.omit({ cursor: true }).extend(withoutSearch).refine(areInOrder, wrongDays),
    reads: all('users_file'),
    path: '/api/admin/users.csv',
    summary: 'Os usuários como CSV.',
  }),
  usersFoundFile: endpoint({
    service: 'projections',
    ...csvOfSearch,
    body: searchedBody(usersShape.omit({ cursor: true })).refine(areInOrder, wrongDays),
    reads: all('users_file'),
    path: '/api/admin/users.csv',
    summary: 'Os usuários encontrados como CSV.',
  }),
  contacts: endpoint({
    service: 'projections',
    ...common,
    reads: all('contacts'),
    path: '/api/admin/contacts',
    summary: 'Contatos de todas as contas, do mais recente.',
    query: pageQuery.extend(withoutSearch),
    replies: { 200: pageOf(listedContact) },
  }),
  contactsFound: endpoint({
    service: 'projections',
    ...post,
    reads: all('contacts'),
    path: '/api/admin/contacts/search',
    summary: 'Contatos de todas as contas por nome ou número, do mais recente.',
    body: searchedBody(pageQuery),
    replies: { 200: pageOf(listedContact) },
  }),
  contactsFile: endpoint({
    service: 'projections',
    ...csv,
    query: z.object(withoutSearch),
    reads: all('contacts_file'),
    path: '/api/admin/contacts.csv',
    summary: 'Os contatos como CSV.',
  }),
  contactsFoundFile: endpoint({
    service: 'projections',
    ...csvOfSearch,
    body: searchedBody(z.object({})),
    reads: all('contacts_file'),
    path: '/api/admin/contacts.csv',
    summary: 'Os contatos encontrados como CSV.',
  }),
  /** A page may be empty although another follows: each request looks into so many messages at most. */
  messages: endpoint({
    service: 'projections',
    ...common,
    reads: all('messages'),
    path: '/api/admin/messages',
    summary: 'Mensagens de todas as contas, da mais recente.',
    query: messagesShape.extend(withoutSearch).refine(areInOrder, wrongDays),
    replies: { 200: pageOf(listedMessage) },
  }),
  messagesFound: endpoint({
    service: 'projections',
    ...post,
    reads: all('messages'),
    path: '/api/admin/messages/search',
    summary: 'Mensagens de todas as contas por contato e palavras, da mais recente.',
    body: messagesBody.refine(areInOrder, wrongDays),
    replies: { 200: pageOf(listedMessage) },
  }),
  messagesFile: endpoint({
    service: 'projections',
    ...csv,
    query: messagesShape.omit({ cursor: true }).extend(withoutSearch).refine(areInOrder, wrongDays),
    reads: all('messages_file'),
    path: '/api/admin/messages.csv',
    summary: 'As 10.000 mensagens mais recentes como CSV, com os mesmos filtros.',
  }),
  messagesFoundFile: endpoint({
    service: 'projections',
    ...csvOfSearch,
    body: messagesBody.omit({ cursor: true }).refine(areInOrder, wrongDays),
    reads: all('messages_file'),
    path: '/api/admin/messages.csv',
    summary: 'As 10.000 mensagens encontradas mais recentes como CSV.',
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
