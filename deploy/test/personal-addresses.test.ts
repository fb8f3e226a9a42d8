import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { endpoints } from '@prosa/contracts/http/endpoints'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

/** Proxies and browsers record addresses: what names a person is in bodies (docs/decisions/0101-searches-of-subscribers.md). */
const personal = [
  'Maria da Silva',
  'maria@example.com',
  '+55 (11) 98877-6655',
  'Pedido de Maria.pdf',
  'quanto é o bolo?',
]

/** Query fields that take such texts although the pages and the documentation put ids and codes alone into them. */
const idsAndCodes: Record<string, readonly string[]> = {
  'a moment, as the token of a position': [
    'GET /api/admin/contacts/:id/messages em',
    'GET /api/admin/records/:kind/:id em',
    'GET /api/company em',
    'GET /api/contact-fields em',
    'GET /api/flows/:id em',
    'GET /api/labels em',
    'GET /api/moments em',
    'GET /api/moments/changes em',
    'GET /api/opening-hours em',
    'GET /api/quick-replies em',
    'GET /api/records/:kind/:id em',
    'GET /api/whatsapp/contact-counts em',
    'GET /api/whatsapp/contacts em',
    'GET /api/whatsapp/contacts/:id em',
    'GET /api/whatsapp/contacts/:id/messages em',
  ],
  'an id': [
    'GET /api/admin/history/:kind/:id/why/:field part',
    'GET /api/history/:kind/:id/why/:field part',
    'GET /api/whatsapp/contacts/:id/messages around',
    'GET /api/whatsapp/longest-waiting except',
    'GET /api/whatsapp/search contactId',
  ],
  'a pseudonym': ['GET /api/streams/events tenant', 'GET /api/streams/tables/:name tenant'],
  'types of events': ['GET /api/streams/events service', 'GET /api/streams/events type'],
  'the beginning of a code of Kiwify': ['GET /api/admin/webhook-logs search'],
}
const ofEarlierPages = [
  'GET /api/whatsapp/contacts search',
  'GET /api/whatsapp/search q',
  'GET /api/whatsapp/media/:id download',
]
/** The documentation names POST /api/v1/contacts/search instead. */
const published = ['GET /api/v1/contacts search']
const taking = [...Object.values(idsAndCodes).flat(), ...ofEarlierPages, ...published]

const asArray: readonly Endpoint[] = endpoints
const isCursor = (field: string) => ['cursor', 'after', 'upTo'].includes(field)

const fieldsOf = ({ query }: Endpoint): string[] =>
  query === undefined
    ? []
    : Object.keys(z.toJSONSchema(query, { unrepresentable: 'any', io: 'input' }).properties ?? {})

const takes = ({ query }: Endpoint, field: string, text: string): boolean => {
  const issues = query?.safeParse({ [field]: text }).error?.issues ?? []
  return !issues.some(({ path }) => path[0] === field)
}

describe('the address of a GET', () => {
  it('takes no text that could name a person, but for those listed with their reason', () => {
    const found = asArray
      .filter(({ method }) => method === 'GET')
      .flatMap((each) =>
        fieldsOf(each)
          .filter((field) => !isCursor(field) && personal.some((text) => takes(each, field, text)))
          .map((field) => `${each.method} ${each.path} ${field}`),
      )
    expect(found.toSorted()).toEqual(taking.toSorted())
  })
})
