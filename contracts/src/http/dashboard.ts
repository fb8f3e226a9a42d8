import { z } from 'zod'
import { contactId, whatsappMessageId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { cursor } from './cursor.ts'
import { endpoint } from './endpoint.ts'
import { contact, messageKind, messageStatus, sender } from './live-chat.ts'

export const maxDays = 366

const unreadableDay = 'Informe uma data válida.'

/** In the account's time zone. */
const day = z.iso
  .date({ error: unreadableDay, abort: true })
  .refine((text) => text >= '2000-01-01' && text <= '2199-12-31', { error: unreadableDay })

export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

/** Default: the last seven days including today. */
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
  received: z.int().nonnegative(),
  /** Includes phone messages. */
  sent: z.int().nonnegative(),
  resolved: z.int().nonnegative(),
  contacts: z.int().nonnegative(),
  /** Accepted while waiting. */
  accepted: z.int().nonnegative(),
  medianWaitSeconds: z.number().nonnegative().nullable(),
})

export const dashboard = z.object({
  timeZone: z.string(),
  from: day,
  to: day,
  days: z.array(activity.extend({ day })),
  total: activity,
  /** As many days before `from`. */
  before: activity,
  now: z.object({
    waiting: z.int().nonnegative(),
    attending: z.int().nonnegative(),
    resolved: z.int().nonnegative(),
    contacts: z.int().nonnegative(),
    /** Percent of all contacts; 0 without contacts. */
    resolutionPercent: z.int().min(0).max(100),
  }),
})

export const recentMessage = z.object({
  id: whatsappMessageId,
  contactId,
  /** One line, as of a caption. */
  content: z.string(),
  kind: messageKind,
  sender,
  timestamp: instant,
  status: messageStatus.nullable(),
})

/** Active: published and enabled. */
export const automationProject = z.object({
  id: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  status: z.enum(['active', 'paused']),
  nodeCount: z.int().nonnegative(),
  createdAt: instant,
  /** The flow's last change; runs do not count. */
  updatedAt: instant,
})

const listQuery = z.object({ cursor: cursor.optional() })

export const dashboardEndpoints = {
  read: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/dashboard',
    area: 'Conversas',
    summary:
      'Mensagens, atendimentos e espera de um período, por dia, e o período anterior. Sem datas: os últimos sete dias.',
    query: periodQuery,
    replies: { 200: dashboard },
  }),
  /** Latest activity first; 50 a page. */
  contacts: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp-contacts',
    area: 'Conversas',
    summary: 'Todos os contatos da conta, do mais recente.',
    query: listQuery,
    replies: { 200: z.array(contact) },
  }),
  /** Latest first; 100 a page. */
  messages: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp-messages',
    area: 'Conversas',
    summary: 'As mensagens das últimas 24 horas, da mais recente.',
    query: listQuery,
    replies: { 200: z.array(recentMessage) },
  }),
  projects: endpoint({
    service: 'projections',
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
