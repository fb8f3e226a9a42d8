import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** JSON Schema (2020-12) of an event's `data`. Readers must accept unknown fields. */
export const dataSchema = (schema: z.ZodObject): JsonSchema => z.toJSONSchema(schema, { io: 'input' }) as JsonSchema

export const onlyOnce = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const uuidText = { type: 'string' }

/** JSON Schema of a CloudEvent as a line of NDJSON has it. */
export const eventSchema = (type: string, data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: [
    'specversion',
    'id',
    'source',
    'type',
    'subject',
    'time',
    'position',
    'revision',
    'tenant',
    'actor',
    'data',
  ],
  properties: {
    specversion: { const: '1.0' },
    id: { ...uuidText, description: 'O evento; uma repetição tem o mesmo.' },
    source: { type: 'string', description: 'O serviço que o registrou.' },
    type: { const: type },
    subject: { type: 'string', description: 'De que é; eventos do mesmo estão em ordem.' },
    time: { type: 'string', format: 'date-time', description: 'Quando foi registrado.' },
    datacontenttype: { const: 'application/json' },
    position: { type: 'string', description: 'De onde continuar: `?after=`.' },
    revision: { type: 'integer', description: 'Número no `subject`; faltam os que não são publicados.' },
    tenant: { type: ['string', 'null'], description: 'A empresa; nula: de nenhuma.' },
    actor: { type: 'string', description: 'Quem causou: `user`, `admin`, `system`, `webhook`, `whatsapp`, `flow`.' },
    data,
  },
})
