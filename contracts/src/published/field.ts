import { z } from 'zod'

/** What an id names; the same id of a tenant has the same pseudonym in all events. */
export const idKinds = [
  'account',
  'contact',
  'message',
  'connection',
  'media',
  'label',
  'note',
  'field',
  'quickReply',
  'folder',
  'flow',
  'run',
  'node',
  'link',
  'supportRequest',
  'order',
  'subscription',
] as const
export type IdKind = (typeof idKinds)[number]

/**
 * Their pseudonyms are made with the installation's key. Orders are known before their tenant is; an account's outlives the tenant's key, so
 * that `account-erased` says what to delete.
 */
export const kindsOfPlatform: ReadonlySet<IdKind> = new Set(['account', 'order', 'subscription'])

export interface FieldMeta {
  description: string
  unit?: string
  example?: unknown
  /** Values so far; readers must accept new ones. */
  values?: readonly string[]
  pseudonymOf?: IdKind
  /** Only in a tenant's own streams, where its key asks for it. */
  personal?: true
}

const metas = new WeakMap<z.ZodType, FieldMeta>()

/** The name of each keyword in JSON Schema. */
const keywords = ({ description, unit, example, values, pseudonymOf, personal }: FieldMeta) => ({
  description,
  ...(example !== undefined && { examples: [example] }),
  ...(unit !== undefined && { 'x-unit': unit }),
  ...(values !== undefined && { 'x-values': values }),
  ...(pseudonymOf !== undefined && { 'x-pseudonym-of': pseudonymOf }),
  ...(personal && { 'x-personal': true }),
})

export const field = <S extends z.ZodType>(schema: S, meta: FieldMeta): S => {
  const described = schema.meta(keywords(meta)) as S
  metas.set(described, meta)
  return described
}

const inner = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? inner(schema.unwrap() as z.ZodType) : schema

/** Throws for a schema that is none of the functions below. */
export const metaOf = (schema: z.ZodType): FieldMeta => {
  const meta = metas.get(schema) ?? metas.get(inner(schema))
  if (!meta) throw new Error('a published field has no description')
  return meta
}

const pseudonymExample = '5f0c2e1a-9b7d-8c3e-a4f1-0d2b6c8e9f10'

export const idField = (pseudonymOf: IdKind, description: string) =>
  field(z.string(), { description, pseudonymOf, example: pseudonymExample })
export const plainText = (description: string, example: string) => field(z.string(), { description, example })
/** A closed list of today that may grow. */
export const oneOf = (values: readonly string[], description: string) =>
  field(z.string(), { description, values, example: values[0] })
export const count = (description: string, unit: string, example = 1) =>
  field(z.int().nonnegative(), { description, unit, example })
export const yesNo = (description: string) => field(z.boolean(), { description, example: true })
export const time = (description: string) =>
  field(z.iso.datetime({ precision: 3 }), { description, unit: 'UTC, ISO 8601', example: '2026-11-21T14:32:00.000Z' })
export const personalText = (description: string, example: string) =>
  field(z.string(), { description, example, personal: true })
export const listOf = <S extends z.ZodType>(schema: S, description: string, example: unknown) =>
  field(z.array(schema), { description, example })
