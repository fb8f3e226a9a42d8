import { z } from 'zod'
import { contactId, whatsappMessageId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { cursor } from './cursor.ts'
import { endpoint } from './endpoint.ts'
import { contact, messageKind, messageStatus, sender } from './live-chat.ts'

/** The longest period that can be asked for. */
export const maxDays = 366

const unreadableDay = 'Informe uma data válida.'

/** A calendar day in the account's time zone: `2026-11-16`. */
const day = z.iso
  .date({ error: unreadableDay, abort: true })
  .refine((text) => text >= '2000-01-01' && text <= '2199-12-31', { error: unreadableDay })

/** How many days a period has, both ends counted. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

/** Both days, or none: then the last seven, today among them. */
const periodQuery = z.object({ from: day.optional(), to: day.optional() }).superRefine(({ from, to }, refusal) => {
  const refuse = (field: 'from' | 'to', message: string) =>
    refusal.addIssue({ code: 'custom', path: [field], message, input: undefined })
  if (from === undefined && to !== undefined) refuse('from', 'Informe a data inicial.')
  if (from !== undefined && to === undefined) refuse('to', 'Informe a data final.')
  if (from === undefined || to === undefined) return
  if (to < from) refuse('to', 'A data final vem antes da inicial.')
  else if (daysBetween(from, to) > maxDays) refuse('to', `O período pode ter no máximo ${maxDays} dias.`)
})

const activity = z.object({
  /** Messages of contacts. */
  received: z.int().nonnegative(),
  /** Messages of the own side, those written on the phone among them. */
  sent: z.int().nonnegative(),
  /** Conversations that were finished. */
  resolved: z.int().nonnegative(),
  /** Contacts that were added. */
  contacts: z.int().nonnegative(),
  /** Conversations that were accepted while somebody waited. */
  accepted: z.int().nonnegative(),
  /** Half of those waited no longer than this; null where there are none. */
  medianWaitSeconds: z.number().nonnegative().nullable(),
})

export const dashboard = z.object({
  /** In which days begin and end: `America/Sao_Paulo`. */
  timeZone: z.string(),
  from: day,
  to: day,
  /** Every day of the period, also those on which nothing happened. */
  days: z.array(activity.extend({ day })),
  total: activity,
  /** As many days, up to the day before `from`. */
  before: activity,
  /** As it is now, whatever the period. */
  now: z.object({
    waiting: z.int().nonnegative(),
    attending: z.int().nonnegative(),
    resolved: z.int().nonnegative(),
    contacts: z.int().nonnegative(),
    /** Resolved of all contacts, in whole percent; 0 while there is no contact. */
    resolutionPercent: z.int().min(0).max(100),
  }),
})

export const recentMessage = z.object({
  id: whatsappMessageId,
  contactId,
  /** One line: of a picture its caption, or what it is. */
  content: z.string(),
  kind: messageKind,
  sender,
  timestamp: instant,
  /** Null for messages of the contact. */
  status: messageStatus.nullable(),
})

/** A flow as the dashboard knows it: active where it is published and on. */
export const automationProject = z.object({
  id: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  status: z.enum(['active', 'paused']),
  nodeCount: z.int().nonnegative(),
  createdAt: instant,
  /** When it was last changed; when it ran last stands in `GET /api/flow-statistics`. */
  updatedAt: instant,
})

const listQuery = z.object({ cursor: cursor.optional() })

export const dashboardEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/api/dashboard',
    area: 'Conversas',
    summary:
      'Mensagens, atendimentos e espera de um período, por dia, e o período anterior. Sem datas: os últimos sete dias.',
    query: periodQuery,
    replies: { 200: dashboard },
  }),
  /** Latest activity first; 50 a page (`prosa-next-cursor`). */
  contacts: endpoint({
    method: 'GET',
    path: '/api/whatsapp-contacts',
    area: 'Conversas',
    summary: 'Todos os contatos da conta, do mais recente.',
    query: listQuery,
    replies: { 200: z.array(contact) },
  }),
  /** Latest first; 100 a page. */
  messages: endpoint({
    method: 'GET',
    path: '/api/whatsapp-messages',
    area: 'Conversas',
    summary: 'As mensagens das últimas 24 horas, da mais recente.',
    query: listQuery,
    replies: { 200: z.array(recentMessage) },
  }),
  projects: endpoint({
    method: 'GET',
    path: '/api/automation-projects',
    area: 'Conversas',
    summary: 'Os projetos de automação da conta.',
    replies: { 200: z.array(automationProject) },
  }),
}

export type Activity = z.infer<typeof activity>
export type Dashboard = z.infer<typeof dashboard>
export type DashboardDay = Dashboard['days'][number]
export type RecentMessage = z.infer<typeof recentMessage>
export type AutomationProject = z.infer<typeof automationProject>
