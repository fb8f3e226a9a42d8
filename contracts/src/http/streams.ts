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

const eventsQuery = z.object({
  /** `position` of the last event that was read. */
  after: z.string().max(200).optional(),
  since: instant.optional(),
  until: instant.optional(),
  service: several,
  type: several,
  /** A pseudonym, as in the events. */
  tenant: z.string().max(100).optional(),
  live: z.enum(['true', 'false']).optional(),
  /** In a browser only: the own personal fields too. A key has them where it was made with them. */
  personal: z.enum(['true', 'false']).optional(),
})
export type EventsQuery = z.infer<typeof eventsQuery>

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
    summary: 'Os eventos, em ordem, um CloudEvent em JSON por linha (NDJSON); com gzip ou zstd, se aceitos.',
    query: eventsQuery,
    file: 'reply',
    replies: {},
  }),
}
