import { z } from 'zod'

interface Schema {
  type?: string
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  minItems?: number
  minimum?: number
  maxLength?: number
  properties?: Record<string, Schema>
  required?: string[]
}

const jsonOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

const texts: Record<string, string> = { date: '2000-01-31', email: 'alguem@example.com' }

const sampled = (schema: Schema): unknown => {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [variant] = schema.anyOf ?? schema.oneOf ?? []
  if (variant) return sampled(variant)
  if (schema.type === 'string') return (texts[schema.format ?? ''] ?? 'um texto').slice(0, schema.maxLength)
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(0, schema.minimum ?? 0)
  if (schema.type === 'boolean') return true
  if (schema.type === 'array') return schema.minItems ? [sampled(schema.items ?? {})] : []
  const { properties = {}, required = [] } = schema
  return Object.fromEntries(required.map((name) => [name, sampled(properties[name] ?? {})]))
}

/** Required fields only. What a schema checks with code of its own, as phones, has to be made by hand. */
export const sampleBody = (schema: z.ZodType): unknown => sampled(jsonOf(schema))

const namesIn = ({ properties = {}, items, anyOf = [], oneOf = [] }: Schema): string[] => [
  ...Object.entries(properties).flatMap(([name, inner]) => [name, ...namesIn(inner)]),
  ...[...(items ? [items] : []), ...anyOf, ...oneOf].flatMap(namesIn),
]

/** `contactId`, `contactIds`, `id`: something that may be another tenant's. */
export const namesSomething = (schema: z.ZodType | undefined): boolean =>
  schema !== undefined && namesIn(jsonOf(schema)).some((name) => /(^i|I)ds?$/.test(name))
