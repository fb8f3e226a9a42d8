import { catalogueEntry } from './catalogue.ts'
import { dataSchema, type JsonSchema } from './json-schema.ts'
import { type PublishedEvent, publicationOf } from './published-of.ts'

/** `instant`: ISO 8601, UTC. `json`: text that is JSON. */
export type ColumnType = 'text' | 'integer' | 'boolean' | 'instant' | 'uuid' | 'json'

export interface EventColumn {
  name: string
  type: ColumnType
  /** Undefined or null where the event has no value. */
  of(event: PublishedEvent): string | number | boolean | null | undefined
}

const column = (name: string, type: ColumnType, of: EventColumn['of']): EventColumn => ({ name, type, of })

const commonColumns: readonly EventColumn[] = [
  column('id', 'uuid', ({ id }) => id),
  column('time', 'instant', ({ time }) => time),
  column('type', 'text', ({ type }) => type),
  column('subject', 'text', ({ subject }) => subject),
  column('revision', 'integer', ({ revision }) => revision),
  column('tenant', 'text', ({ tenant }) => tenant),
  column('actor', 'text', ({ actor }) => actor),
]
export const positionColumn = column('position', 'text', ({ position }) => position)
const anyData = column('data', 'json', ({ data }) => JSON.stringify(data))

const commonNames = new Set([...commonColumns, positionColumn].map(({ name }) => name))

const typeOf = (schema: JsonSchema): ColumnType => {
  const variants = (schema.anyOf as JsonSchema[] | undefined) ?? [schema]
  const { type, format } = variants.find((each) => each.type !== 'null') ?? {}
  if (type === 'integer' || type === 'boolean') return type
  if (type === 'string') return format === 'date-time' ? 'instant' : 'text'
  return 'json'
}

const fieldColumn = (field: string, schema: JsonSchema): EventColumn => {
  const type = typeOf(schema)
  return {
    name: commonNames.has(field) ? `data_${field}` : field,
    type,
    of: ({ data }) => {
      const value = data[field]
      return type === 'json' && value !== undefined ? JSON.stringify(value) : (value as ReturnType<EventColumn['of']>)
    },
  }
}

/** A column for each field of the type, after those that all events have; of a type that is not in the catalogue none. */
export const columnsOfType = (type: string, { withPersonal }: { withPersonal: boolean }): readonly EventColumn[] => {
  const entry = catalogueEntry(type)
  const publication = entry && publicationOf(entry.from)
  if (!publication) return []
  const schemas = dataSchema(publication.schema).properties as Record<string, JsonSchema> | undefined
  const fields = publication.fields.filter(({ personal }) => withPersonal || !personal)
  return [...commonColumns, ...fields.map(({ name }) => fieldColumn(name, schemas?.[name] ?? {}))]
}

/** Of events of several types: `data` is JSON. */
export const columnsOfAll: readonly EventColumn[] = [...commonColumns, anyData]
