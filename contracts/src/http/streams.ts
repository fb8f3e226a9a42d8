import { z } from 'zod'
import { instant } from '../values/instant.ts'
import { endpoint } from './endpoint.ts'

const jsonSchema = z.record(z.string(), z.unknown())

const publishedField = z.object({
  name: z.string(),
  sentence: z.string(),
  unit: z.string().optional(),
  /** Values so far; more may come. */
  values: z.array(z.string()).optional(),
  pseudonymOf: z.string().optional(),
  isPersonal: z.boolean(),
  isOptional: z.boolean(),
})

const publishedStream = z.object({
  type: z.string(),
  service: z.string(),
  category: z.string(),
  sentence: z.string(),
  since: z.iso.date(),
  fields: z.array(publishedField),
  schema: jsonSchema,
  example: jsonSchema,
})
export type PublishedStream = z.infer<typeof publishedStream>

/** Once or several times. */
const several = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat())
  .pipe(z.array(z.string().max(100)).max(200))
  .optional()

/** NDJSON where none is named. */
export const streamFormats = ['ndjson', 'csv', 'parquet'] as const
export type StreamFormat = (typeof streamFormats)[number]

const dayFile = z.object({
  type: z.string(),
  /** With the same key; `HEAD` and `Range` too. */
  path: z.string(),
  events: z.int(),
  bytes: z.int(),
  etag: z.string(),
})
const streamDay = z.object({ day: z.iso.date(), files: z.array(dayFile) })
export type StreamDay = z.infer<typeof streamDay>

const eventsQuery = z.object({
  /** `position` of the last event that was read. */
  after: z.string().max(200).optional(),
  /** `position` of the last event that is wanted. */
  upTo: z.string().max(200).optional(),
  since: instant.optional(),
  until: instant.optional(),
  service: several,
  type: several,
  /** A pseudonym, as in the events. */
  tenant: z.string().max(100).optional(),
  live: z.enum(['true', 'false']).optional(),
  format: z.enum(streamFormats).optional(),
  /** In a browser only: the own personal fields too. A key has them where it was made with them. */
  personal: z.enum(['true', 'false']).optional(),
})
export type EventsQuery = z.infer<typeof eventsQuery>

const publishedTable = z.object({
  name: z.string(),
  sentence: z.string(),
  since: z.iso.date(),
  /** Columns that name a row. */
  key: z.array(z.string()),
  columns: z.array(
    publishedField.omit({ isOptional: true }).extend({
      type: z.enum(['text', 'integer', 'boolean', 'time', 'date']),
      isNullable: z.boolean(),
      /** Published events that it comes from. */
      from: z.array(z.string()),
    }),
  ),
  schema: jsonSchema,
  example: jsonSchema,
})
export type PublishedTableShown = z.infer<typeof publishedTable>

/** In the head of an answer: `after` of the next one. */
export const tablePositionHeader = 'prosa-table-position'

const tableQuery = z.object({
  format: z.enum(['ndjson', 'csv', 'parquet'], { error: 'Escolha ndjson, csv ou parquet.' }).default('ndjson'),
  /** `prosa-table-position` of the answer before. */
  after: z.string().max(100_000).optional(),
  /** By `updatedAt`. */
  since: instant.optional(),
  until: instant.optional(),
  /** A pseudonym, as in the rows. */
  tenant: z.string().max(100).optional(),
})

export const streamEndpoints = {
  catalogue: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/streams',
    area: 'Dados',
    open: true,
    summary: 'O catálogo: cada tipo de evento publicado, com seus campos, unidades e um exemplo.',
    replies: { 200: z.array(publishedStream) },
  }),
  asyncApi: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/streams/asyncapi',
    area: 'Dados',
    open: true,
    summary: 'O contrato dos eventos como documento AsyncAPI 3.',
    replies: { 200: jsonSchema },
  }),
  events: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/streams/events',
    area: 'Dados',
    key: 'streams',
    alsoInBrowser: true,
    summary:
      'Os eventos, em ordem, um CloudEvent em JSON por linha (NDJSON), ou como CSV ou Parquet; texto com gzip ou zstd, se aceitos.',
    query: eventsQuery,
    file: 'reply',
    replies: {},
  }),
  day: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/streams/days/:day',
    area: 'Dados',
    key: 'streams',
    summary: 'Os arquivos de um dia fechado (UTC), um por tipo de evento que houve.',
    replies: { 200: streamDay },
  }),
  dayFile: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/streams/days/:day/:file',
    area: 'Dados',
    key: 'streams',
    summary: 'Um dia de um tipo, `<tipo>.parquet`: uma coluna por campo; com Range, ETag e HEAD.',
    file: 'reply',
    replies: {},
  }),
  tables: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/streams/tables',
    area: 'Dados',
    open: true,
    summary: 'As tabelas prontas: cada coluna, com unidade e os eventos de que vem.',
    replies: { 200: z.array(publishedTable) },
  }),
  table: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/streams/tables/:name',
    area: 'Dados',
    key: 'tables',
    alsoInBrowser: true,
    summary:
      'As linhas de uma tabela pronta em NDJSON, CSV ou Parquet; com `after`, só as que mudaram desde a resposta anterior.',
    query: tableQuery,
    file: 'reply',
    replies: {},
  }),
}
