import { maximumDraftTextLength } from '@prosa/contracts/flows/flow-limits'
import { maximumTextLength } from '@prosa/contracts/values/lengths'
import { filledVariables } from '@prosa/contracts/values/text/filled-variables'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressesIn, messageRequests } from './message-requests.ts'

/** Reference: fills everything, then cuts. */
const plainly = (text: string, values: Readonly<Record<string, string>>) =>
  text
    .replace(/( ?)\{([a-z][a-z0-9_]{0,39})\}/gi, (_, blank: string, name: string) => {
      const field = name.toLowerCase()
      const value = Object.hasOwn(values, field) ? values[field] : ''
      return value ? blank + value : ''
    })
    .slice(0, maximumTextLength)
    .replace(/[\ud800-\udbff]$/, '')

describe('a text with its variables', () => {
  it('is filled as if it were filled whole and cut in the end', () => {
    const pieces = fc.constantFrom(
      '{nome}',
      ' {NOME}',
      '{x}',
      ' {longo}',
      '{',
      '}',
      '{{nome}}',
      ' ',
      'Oi',
      '{a',
      '😀',
      '{constructor}',
    )
    const template = fc.array(pieces, { maxLength: 30 }).map((all) => all.join(''))
    const values = fc.record({
      nome: fc.string({ maxLength: 9 }),
      longo: fc.nat(3000).map((length) => 'l'.repeat(length)),
    })
    fc.assert(fc.property(template, values, (text, given) => filledVariables(text, given) === plainly(text, given)))
  })

  it('puts no more together than can be sent, however often a long answer is asked for', () => {
    let read = 0
    const resposta = 'a'.repeat(65_000)
    const values = {
      get resposta() {
        read++
        return resposta
      },
    }
    expect(filledVariables('{resposta}'.repeat(400), values)).toBe('a'.repeat(maximumTextLength))
    expect(read).toBe(1)
  })

  it('asks no further for variables than a message that can be published goes', () => {
    const asked = new Set<string>()
    const values = new Proxy<Record<string, string>>(
      {},
      {
        getOwnPropertyDescriptor: (_, name) => {
          asked.add(String(name))
          return undefined
        },
      },
    )
    const draft = Array.from({ length: 10_000 }, (_, index) => `{v${index}}`)
      .join('')
      .slice(0, maximumDraftTextLength)
    expect(filledVariables(draft, values)).toBe('')
    expect(asked.size).toBeLessThan(maximumTextLength / '{v0}'.length)
  })
})

describe('the addresses of a text of a flow', () => {
  it('are whole, and its own', () => {
    expect(addressesIn('a https://a.br/x. b http://b.br/{nome} https://a.br/x! http://[')).toEqual(['https://a.br/x'])
  })

  it('are looked for as far as a message can be sent', () => {
    expect(addressesIn(`https://a.br ${'.'.repeat(maximumDraftTextLength)} https://b.br`)).toEqual(['https://a.br'])
  })
})

describe('a message of a flow with a file', () => {
  const step = {
    ...{ runId: 'r1', flowId: 'f1', version: 1, step: 2, nodeId: 'n1', connectionId: 'c1' },
    requestedAt: '2026-11-25T12:00:00.000Z',
  }
  const file = { id: 'm1', mediaType: 'audio/mpeg', bytes: 9, sha256: 'x' }
  const contentsOf = (message: string, kind: 'audio' | 'image') =>
    messageRequests(step, { message, file: { kind, file } as never, typingSeconds: 0 }, {}).flatMap((event) =>
      event.type === 'FlowMessageRequested' ? [event.data.content] : [],
    )

  it('sends sound as a file and not as a recording, with the words behind it, and a picture with them below', () => {
    expect(contentsOf('Ouça', 'audio')).toEqual([
      { kind: 'audio', file, voice: false },
      { kind: 'text', text: 'Ouça' },
    ])
    expect(contentsOf(' ', 'audio')).toEqual([{ kind: 'audio', file, voice: false }])
    expect(contentsOf('Veja ', 'image')).toEqual([{ kind: 'image', file, caption: 'Veja' }])
  })
})
