import { type AnyEvent, allEvents } from '@prosa/contracts/events/all-events'
import type { Endpoints } from '@prosa/contracts/http/endpoints'
import { storedNames } from '@prosa/contracts/stored-names'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readModels } from '../projections.ts'
import type { AccountPart } from './account.ts'
import { readMe } from './read-me.ts'
import { shownData, withheldFields } from './shown-data.ts'
import { type LeftOut, leftOut } from './shown-fields.ts'

type Json = boolean | null | number | string | readonly Json[] | { [name: string]: Json }
interface Schema {
  type?: string
  const?: Json
  enum?: Json[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
}

const email = 'ana@padaria.com.br'
const leaves: Record<string, Json> = { string: 'a text', number: 7, integer: 7, boolean: true, null: null }

/** Values that hold every field of every variant. */
const samplesOf = (schema: Schema): Json[] => {
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum) return schema.enum.slice(0, 1)
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return variants.flatMap(samplesOf)
  if (schema.allOf) return schema.allOf.flatMap(samplesOf)
  if (schema.type === 'array') return [samplesOf(schema.items ?? {})]
  if (schema.type !== 'object') return [leaves[schema.type ?? 'string'] ?? 'anything']
  const { properties = {}, additionalProperties } = schema
  const more = typeof additionalProperties === 'object' ? { aKey: additionalProperties } : {}
  const fields = Object.entries({ ...properties, ...more }).map(([name, each]) => [name, samplesOf(each)] as const)
  const count = Math.max(1, ...fields.map(([, samples]) => samples.length))
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(fields.map(([name, samples]) => [name, samples[index % samples.length] ?? null])),
  )
}

/** Path and value of each leaf: `content.file.id "a text"`. */
const leavesOf = (value: unknown, path: string[] = []): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
    : [`${path.join('.')} ${JSON.stringify(value)}`]

const isWithheld = (leaf: string) =>
  Object.keys(withheldFields).some((path) => leaf.startsWith(`${path} `) || leaf.startsWith(`${path}.`))

/** What is shown only where it is of the account itself. */
const own: Readonly<Record<string, object>> = {
  OrderReported: { buyerEmail: email },
  DeliveryReceived: { body: Buffer.from(JSON.stringify({ email })).toString('base64') },
}

describe('the events of a copy', () => {
  it.each(Object.entries(allEvents))('%s: every field is shown, or is left out with a reason', (type, schema) => {
    const samples = samplesOf(z.toJSONSchema(schema, { unrepresentable: 'any' }) as Schema)
    for (const sample of samples) {
      const data = { ...(sample as object), ...own[type] }
      const shown = shownData({ type, data } as unknown as AnyEvent, new Set([email]))
      if (type === 'DeliveryReceived') shown.body = Buffer.from(String(shown.body)).toString('base64')
      const found = new Set(leavesOf(shown))
      expect(leavesOf(data).filter((leaf) => !found.has(leaf) && !isWithheld(leaf))).toEqual([])
      expect([...found].filter((leaf) => isWithheld(leaf) && !leaf.endsWith(' null'))).toEqual([])
    }
  })

  it('leave out no field that no event has', () => {
    const known = Object.values(allEvents).flatMap((schema) =>
      samplesOf(z.toJSONSchema(schema, { unrepresentable: 'any' }) as Schema).flatMap((each) => leavesOf(each)),
    )
    const has = (path: string) => known.some((leaf) => leaf.startsWith(`${path} `) || leaf.startsWith(`${path}.`))
    expect(Object.keys(withheldFields).filter((path) => !has(path))).toEqual([])
  })
})

type TenantRead = {
  [N in keyof Endpoints]: N extends `GET ${string}`
    ? Endpoints[N] extends { role: string } | { open: true } | { key: string }
      ? never
      : N
    : never
}[keyof Endpoints]

const inAccount = (part: keyof AccountPart) => ({ part })
const inFile = (name: string) => ({ name })
const derived = leftOut('follows from what is in the copy')
const forAll = leftOut('the same for all tenants')
const linking = leftOut('for linking a number: secrets that soon end')

/** What a tenant reads on the screens is in the copy or is left out with a reason: another endpoint does not compile. */
const reads: Record<TenantRead, { part: keyof AccountPart } | { name: string } | LeftOut> = {
  'GET /api/auth/user': inAccount('perfil'),
  'GET /api/profile-photos/:id': inFile('foto.webp'),
  'GET /api/company': inAccount('empresa'),
  'GET /api/opening-hours': inAccount('horario'),
  'GET /api/labels': inAccount('etiquetas'),
  'GET /api/contact-fields': inAccount('camposDeContatos'),
  'GET /api/quick-replies': inAccount('respostasRapidas'),
  'GET /api/kiwify/transactions': inAccount('compras'),
  'GET /api/kiwify/transactions/:id/invoice': derived,
  'GET /api/kiwify/upgrade': leftOut('an address of the shop'),
  'GET /api/kiwify-plans': forAll,
  'GET /api/usage': derived,
  'GET /api/support/channels': forAll,
  'GET /api/whatsapp/connections': inAccount('conexoes'),
  'GET /api/whatsapp/quick-sessions': inAccount('conexoes'),
  'GET /api/whatsapp/sessions': inAccount('conexoes'),
  'GET /api/whatsapp/networks': forAll,
  'GET /api/whatsapp/qr/:token': linking,
  'GET /api/whatsapp/contacts': inFile('contatos.json'),
  'GET /api/whatsapp/contacts/:id': inFile('contatos.json'),
  'GET /api/whatsapp/contacts/:id/notes': inFile('contatos.json'),
  'GET /api/whatsapp/contacts/:id/fields': inFile('contatos.json'),
  'GET /api/whatsapp/contacts/:id/messages': inFile('conversas/'),
  'GET /api/whatsapp/media/:id': inFile('midia/'),
  'GET /api/moments': derived,
  'GET /api/moments/changes': derived,
  'GET /api/records/:kind/:id': derived,
  'GET /api/whatsapp/search': derived,
  'GET /api/whatsapp/contact-counts': derived,
  'GET /api/whatsapp/longest-waiting': derived,
  'GET /api/dashboard': derived,
  'GET /api/whatsapp-contacts': derived,
  'GET /api/whatsapp-messages': derived,
  'GET /api/automation-projects': derived,
  'GET /api/flow-folders': inAccount('pastasDeFluxos'),
  'GET /api/flows': inAccount('fluxos'),
  'GET /api/flows/:id': inFile('fluxos/'),
  'GET /api/flows/:id/file': inFile('fluxos/'),
  'GET /api/default-flow': inAccount('fluxoPadrao'),
  'GET /api/flow-order': inFile('eventos/conta.ndjson'),
  'GET /api/flows/:id/versions': inFile('eventos/conta.ndjson'),
  'GET /api/flows/:id/versions/:version': inFile('eventos/conta.ndjson'),
  'GET /api/flows/:id/runs': inFile('eventos/contatos/'),
  'GET /api/flow-runs/:id': inFile('eventos/contatos/'),
  'GET /api/flows/:id/statistics': derived,
  'GET /api/flow-statistics': derived,
  'GET /api/flow-secrets': inFile('eventos/conta.ndjson'),
  'GET /api/exports/:id': leftOut('the copy itself'),
  'GET /api/history/:kind/:id/why/:field': inFile('eventos/'),
  'GET /api/keys': inFile('eventos/conta.ndjson'),
  'GET /api/webhooks': inFile('eventos/conta.ndjson'),
  'GET /api/history': inFile('eventos/'),
  'GET /api/whatsapp/contacts/:id/history': inFile('eventos/contatos/'),
  'GET /api/webhooks/:id/calls': leftOut('which events were sent, without their content: a protocol of 30 days'),
}

/** Tables that no rebuild fills. Another one has to be named here. */
const besideTheLog: Record<string, readonly string[]> = {
  'in conta.json, as times of use': ['browser_session'],
  'in fluxos/': ['draft'],
  'in midia/': ['media_file'],
  'secrets and keys': [
    'current_credential',
    'secret',
    'subject_key',
    'house_key',
    'signing_key',
    'ended_session',
    'whatsapp_credentials',
    'whatsapp_key',
  ],
  'what is asked, for hours: the result is in the log': [
    'looked_up_number',
    'idempotent_request',
    'incoming_file',
    'outbox',
    'refused_delivery',
    'refused_request',
    'sent_message_id',
    'tenant_spending',
    'timer',
  ],
  'the log itself, or copied from it': ['es', 'stream_entry', 'stream_snapshot', 'parked_event', 'parked_work'],
  'the work of processes, without data about people': [
    'checkpoint',
    'connection_lease',
    'effect_once',
    'fetch_turn',
    'kept_files',
    'log_block',
    'log_identity',
    'log_time',
    'read_model',
    'session_process',
    'stream_day',
    'stream_day_file',
    'timer_kind',
    'webhook_call',
    'worker_epoch',
  ],
  'read models of services: folded from events that are in the copy': [
    'connection_name',
    'connection_place',
    'flow_contact',
    'flow_link',
    'flow_on',
    'flow_place',
    'flow_request',
    'flow_run_place',
    'open_line',
    'out_of_hours_flow',
    'plan_days',
    'tenant_contact',
    'unidentified_number',
  ],
  'no tables of the product': ['text', 'witness'],
}

describe('what a tenant has', () => {
  it('is in a part of the copy that its page names', () => {
    const page = readMe('account', '2026-11-26T12:00:00.000Z')
    const files = Object.values(reads).flatMap((each) => ('name' in each ? [each.name] : []))
    expect(files.filter((file) => !page.includes(`\n- ${file}`))).toEqual([])
  })

  it('is in the copy, or left out with a reason, also where it is beside the log', () => {
    const rebuilt = readModels.map(({ table }) => table.name)
    const named = [...rebuilt, ...Object.values(besideTheLog).flat()]
    expect(storedNames.tables.filter((table) => !named.includes(table))).toEqual([])
  })
})
