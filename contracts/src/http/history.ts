import { z } from 'zod'
import { id } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { maximumPastedLength } from '../values/lengths.ts'
import { cursor } from './cursor.ts'
import { endpoint } from './endpoint.ts'
import { areInOrder, days, pageOf, pageQuery, wrongDays } from './page.ts'
import { pastRecord } from './past/moments.ts'

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

/** Administrators' readings may be many. */
export const allButReadings = 'all_but_readings'

/** Actors without an account. */
export const historyActors = ['user', 'admin', 'system', 'webhook', 'whatsapp', 'flow'] as const

const record = z.object({
  kind: z.enum(historyRecordKinds),
  id: z.string(),
  /** 'ABC1234', 'Ana Souza', '[apagado]'. */
  name: z.string(),
})

const difference = z.object({ label: z.string(), before: z.string(), after: z.string() })

export const historyEntry = z.object({
  id,
  type: z.string(),
  at: instant,
  /** Right after it, for `?em=`. */
  em: z.string().optional(),
  /** What `em` shows as it was; without it there is nothing to show. */
  past: pastRecord.optional(),
  /** Causes above it. */
  depth: z.int().nonnegative(),
  icon: historyIcon,
  /** Portuguese, without full stop. */
  text: z.string(),
  /** `id` only for accounts. */
  actor: z.object({ kind: z.enum(historyActors), id: id.nullable(), name: z.string() }),
  reason: z.string().nullable(),
  /** The rule that decided, with its inputs; null where nothing but somebody's wish did. */
  rule: z.string().nullable(),
  differences: z.array(difference),
  records: z.array(record),
})

/** Effects of one external event, causes first. */
export const historyThread = z.object({
  /** Log position. */
  id: z.string(),
  at: instant,
  /** A much earlier cause, as a purchase. */
  cause: z.object({ text: z.string(), at: instant }).nullable(),
  entries: z.array(historyEntry),
  hidden: z.int().nonnegative(),
})

const unknownFields = {
  error: ({ code }: { code?: string }) =>
    code === 'unrecognized_keys' ? 'Há campos que não podem ser enviados aqui.' : undefined,
}
const unknownRecord = 'Escolha um registro da lista.'

const filters = {
  /** `order:<id>` */
  record: z
    .string({ error: unknownRecord })
    .regex(new RegExp(`^(${historyRecordKinds.join('|')}):[\\x21-\\x7e]{1,200}$`), unknownRecord)
    .optional(),
  group: z.enum([...historyGroups, allButReadings], { error: 'Escolha um assunto da lista.' }).optional(),
  actor: z.union([z.enum(historyActors), id], { error: 'Escolha um autor da lista.' }).optional(),
  /** Everything of one tenant, its contacts and connections included. */
  tenant: z.uuid({ error: 'Escolha uma conta.' }).optional(),
  ...days,
}

export const historyQuery = pageQuery
  .extend({
    ...filters,
    /** A whole id or order reference, or the first eight characters of an id. Never personal: it is in the address. */
    search: z
      .string({ error: 'Escreva uma só busca.' })
      .trim()
      .regex(/^[\w.:-]{0,100}$/, 'Busque por um código ou pela referência de um pedido.')
      .optional(),
  })
  .refine(areInOrder, wrongDays)

/** A name, an e-mail, words of a reason, a code, or a whole line that was copied. */
const text = z
  .string({ error: 'Escreva o que procurar.' })
  .trim()
  .min(1, 'Escreva o que procurar.')
  .max(maximumPastedLength, `A busca pode ter no máximo ${maximumPastedLength} caracteres.`)
  .refine((typed) => !typed.includes('\0'), 'A busca tem um caractere que não existe em textos.')

export const historySearchBody = z
  .strictObject({ ...filters, text, cursor: cursor.optional() }, unknownFields)
  .refine(areInOrder, wrongDays)

export const historyExportBody = z
  .strictObject(
    {
      ...filters,
      text: text.optional(),
      format: z.enum(['csv', 'ndjson'], { error: 'Escolha CSV ou NDJSON.' }),
    },
    unknownFields,
  )
  .refine(areInOrder, wrongDays)

/** Kinds of records whose values can be asked about, and their values. */
export const whyFields = {
  user: ['access', 'status', 'limits', 'name', 'email', 'emailConfirmed', 'terms', 'role'],
  order: ['status', 'amount', 'buyer', 'plan'],
  purchase: ['status', 'account'],
  delivery: ['status'],
  plan: ['name', 'price', 'accessDays', 'isOffered'],
  support: ['status'],
  connection: ['status', 'name', 'number'],
  /** `label`, `field` and `tick` name the label, field or message as `part`. */
  contact: ['status', 'attendant', 'name', 'phone', 'robot', 'bot', 'label', 'field', 'tick'],
  flow: ['status', 'name', 'version', 'numbers'],
  folder: ['name', 'description'],
  /** From here on the id is the account's; `label`, `quickReply`, `contactField` and `webhook` name one of many as `part`. */
  company: ['name', 'email', 'phone', 'website', 'address', 'notifications', 'analytics'],
  openingHours: [
    ...['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
    ...['timeZone', 'holidays', 'reply', 'replyText'],
  ],
  flows: ['default', 'order'],
  label: ['name', 'colour'],
  quickReply: ['shortcut', 'content', 'status'],
  contactField: ['name', 'type'],
  webhook: ['name', 'types', 'personal', 'status'],
} as const

const unknownValue = 'Escolha um valor da lista.'
const allFields = Object.values(whyFields).flat()

const whyParams = z.object({
  kind: z.enum(Object.keys(whyFields) as WhyKind[], { error: unknownValue }),
  id: z.string().regex(/^[\x21-\x7e]{1,200}$/, unknownRecord),
  field: z.enum(allFields, { error: unknownValue }),
})

const whyQuery = z.object({
  /** A label's or message's id. */
  part: z.string({ error: unknownValue }).min(1).max(128).optional(),
})

/** The event that set a value that is shown. */
export const whyAnswer = z.object({
  /** 'Acesso até'. */
  label: z.string(),
  /** Null: nothing before it. */
  before: z.string().nullable(),
  after: z.string(),
  entry: historyEntry,
  /** Nearest first. */
  causes: z.array(z.object({ text: z.string(), at: instant.nullable() })),
})

export const historyEndpoints = {
  /** Newest first, paged by key. */
  threads: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/admin/history',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'history', of: 'named' },
    summary: 'O que aconteceu, por quem e por causa de quê.',
    query: historyQuery,
    replies: { 200: pageOf(historyThread) },
  }),
  /** `found`: the records that the text names, at most 20. Not a GET: names and addresses are in no URL. */
  search: endpoint({
    service: 'projections',
    method: 'POST',
    path: '/api/admin/history/search',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'history', of: 'all' },
    changesNothing: true,
    summary: 'Procura no histórico por nome, e-mail, motivo, código ou uma linha copiada.',
    body: historySearchBody,
    replies: { 200: pageOf(historyThread).extend({ found: z.array(record) }) },
  }),
  /** A POST for the same reason; its last line proves that it is whole (docs/decisions/0085). */
  export: endpoint({
    service: 'projections',
    method: 'POST',
    path: '/api/admin/history/export',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'history_file', of: 'named' },
    changesNothing: true,
    file: 'reply',
    summary: 'O histórico com os mesmos filtros, como CSV ou NDJSON, com uma prova de que está inteiro.',
    body: historyExportBody,
    replies: {},
  }),
  why: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/admin/history/:kind/:id/why/:field',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'history', of: 'named' },
    summary: 'O que deu a um registro o valor que aparece, por quem e por qual regra.',
    params: whyParams,
    query: whyQuery,
    replies: { 200: whyAnswer },
  }),
  /** Own tenant only. */
  ownWhy: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/history/:kind/:id/why/:field',
    area: 'Conta',
    summary: 'O que deu a um registro da sua conta o valor que aparece, por quem e por qual regra.',
    params: whyParams,
    query: whyQuery,
    replies: { 200: whyAnswer },
  }),
}

export type WhyKind = keyof typeof whyFields
export type WhyField<K extends WhyKind = WhyKind> = (typeof whyFields)[K][number]
export type WhyAnswer = z.infer<typeof whyAnswer>
export type HistoryIcon = z.infer<typeof historyIcon>
export type HistoryDifference = z.infer<typeof difference>
export type HistoryRecord = z.infer<typeof record>
export type HistoryRecordKind = HistoryRecord['kind']
export type HistoryGroup = (typeof historyGroups)[number]
export type HistoryActor = z.infer<typeof historyEntry>['actor']
export type HistoryEntry = z.infer<typeof historyEntry>
export type HistoryThread = z.infer<typeof historyThread>
export type HistoryQuery = z.infer<typeof historyQuery>
export type HistorySearch = z.infer<typeof historySearchBody>
export type HistoryExport = z.infer<typeof historyExportBody>
