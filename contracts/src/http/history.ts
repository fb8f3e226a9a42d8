import { z } from 'zod'
import { id } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { endpoint } from './endpoint.ts'
import { pageOf, pageQuery } from './page.ts'

/** What an entry of the timeline is about; the web has one icon for each. */
export const historyIcon = z.enum([
  'account',
  'security',
  'reading',
  'access',
  'end',
  'purchase',
  'refund',
  'webhook',
  'plan',
  'connection',
  'conversation',
  'message',
  'file',
  'trouble',
  'erased',
  'work',
  'flow',
])

/** What has a timeline of its own. */
export const historyRecordKinds = [
  'user',
  'order',
  'delivery',
  'purchase',
  'entitlement',
  'plan',
  'connection',
  'contact',
  'email',
  'work',
  'support',
  'flow',
  'folder',
  'refusals',
] as const

export const historyGroups = [
  'account',
  'access',
  'purchase',
  'erasedCharge',
  'webhook',
  'plan',
  'connection',
  'conversation',
  'automation',
  'reading',
  'work',
] as const

/** All groups but what administrators read, which there may be much of. */
export const allButReadings = 'all_but_readings'

/** Who may have done it, where no account is named. */
export const historyActors = ['user', 'admin', 'system', 'webhook', 'whatsapp', 'flow'] as const

const record = z.object({
  kind: z.enum(historyRecordKinds),
  id: z.string(),
  /** In words: 'ABC1234', 'Ana Souza', '[apagado]'. */
  name: z.string(),
})

/** One thing that an event changed, in words. */
const difference = z.object({ label: z.string(), before: z.string(), after: z.string() })

export const historyEntry = z.object({
  /** The event's. */
  id,
  type: z.string(),
  at: instant,
  /** How many causes stand above it in its thread. */
  depth: z.int().nonnegative(),
  icon: historyIcon,
  /** In Portuguese, without a full stop. */
  text: z.string(),
  /** `id` only of accounts. */
  actor: z.object({ kind: z.enum(historyActors), id: id.nullable(), name: z.string() }),
  reason: z.string().nullable(),
  differences: z.array(difference),
  /** What else it is about, each with a timeline of its own. */
  records: z.array(record),
})

/** What one thing from outside set off, cause before effect. */
export const historyThread = z.object({
  /** Its place in the log. */
  id: z.string(),
  at: instant,
  /** What led to it, where that was long before: a purchase to the end of its period. */
  cause: z.object({ text: z.string(), at: instant }).nullable(),
  entries: z.array(historyEntry),
  /** Entries that are not shown, because the thread has so many. */
  hidden: z.int().nonnegative(),
})

const unknownRecord = 'Escolha um registro da lista.'
const date = z.iso.date({ error: 'Informe a data como AAAA-MM-DD.' })

export const historyQuery = pageQuery.extend({
  /** `order:<id>` */
  record: z
    .string({ error: unknownRecord })
    .regex(new RegExp(`^(${historyRecordKinds.join('|')}):[\\x21-\\x7e]{1,200}$`), unknownRecord)
    .optional(),
  group: z.enum([...historyGroups, allButReadings], { error: 'Escolha um assunto da lista.' }).optional(),
  /** An account's id, or a kind of actor. */
  actor: z.union([z.enum(historyActors), id], { error: 'Escolha um autor da lista.' }).optional(),
  /** The first and the last day, by the calendar of São Paulo. */
  from: date.optional(),
  to: date.optional(),
  /** An id of anything, or the reference of an order; whole. */
  search: z
    .string({ error: 'Escreva uma só busca.' })
    .trim()
    .regex(/^[\w.:@-]{0,100}$/, 'Busque por um código ou pela referência de um pedido.')
    .optional(),
})

const pastQuery = z.object({ user: id, at: instant })

/** What was so of an account at a moment. */
export const historyState = z.object({
  at: instant,
  values: z.array(z.object({ label: z.string(), value: z.string() })),
})

export const historyEndpoints = {
  /** Newest thread first, by key. */
  threads: endpoint({
    method: 'GET',
    path: '/api/admin/history',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'history', of: 'named' },
    summary: 'O que aconteceu, por quem e por causa de quê.',
    query: historyQuery,
    replies: { 200: pageOf(historyThread) },
  }),
  state: endpoint({
    method: 'GET',
    path: '/api/admin/history/state',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'history', of: 'named' },
    summary: 'O que valia para uma conta em um momento.',
    query: pastQuery,
    replies: { 200: historyState },
  }),
}

export type HistoryIcon = z.infer<typeof historyIcon>
export type HistoryDifference = z.infer<typeof difference>
export type HistoryRecord = z.infer<typeof record>
export type HistoryRecordKind = HistoryRecord['kind']
export type HistoryGroup = (typeof historyGroups)[number]
export type HistoryActor = z.infer<typeof historyEntry>['actor']
export type HistoryEntry = z.infer<typeof historyEntry>
export type HistoryThread = z.infer<typeof historyThread>
export type HistoryQuery = z.infer<typeof historyQuery>
export type HistoryState = z.infer<typeof historyState>
