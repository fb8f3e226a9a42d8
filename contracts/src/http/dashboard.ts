import { z } from 'zod'
import { contactId, whatsappMessageId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { lastDays } from '../values/time/last-days.ts'
import { checkPeriod, periodDay } from '../values/time/period.ts'
import { cursor } from './cursor.ts'
import { endpoint } from './endpoint.ts'
import { contact, messageKind, messageStatus, sender } from './live-chat.ts'

const maxDays = 366

/** Both days, or how many days that end today; by default seven. Days are the tenant's. */
const periodQuery = z
  .object({
    from: periodDay.optional(),
    to: periodDay.optional(),
    days: z.enum(lastDays, { error: 'Escolha 1, 7 ou 30 dias.' }).optional(),
  })
  .superRefine(checkPeriod(maxDays))
  .refine(({ from, to, days }) => days === undefined || (from === undefined && to === undefined), {
    path: ['days'],
    error: 'Informe as datas ou os dias, não os dois.',
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
  from: periodDay,
  to: periodDay,
  days: z.array(activity.extend({ day: periodDay })),
  /** Of the only day, from 0 on, as far as it has begun; null for a longer period. */
  hours: z.array(activity.extend({ hour: z.int().min(0).max(23) })).nullable(),
  total: activity,
  /** As many days before `from`. */
  before: activity,
  now: z.object({
    waiting: z.int().nonnegative(),
    /** Waiting, but a flow runs with them. */
    bot: z.int().nonnegative(),
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
      'Mensagens, atendimentos e espera de um período, por dia, e o período anterior; de um dia só, também por hora. Sem datas: os últimos sete dias, ou 1 ou 30 com `days`.',
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
export type DashboardHour = NonNullable<Dashboard['hours']>[number]
export type DashboardDay = Dashboard['days'][number]
export type RecentMessage = z.infer<typeof recentMessage>
export type AutomationProject = z.infer<typeof automationProject>
