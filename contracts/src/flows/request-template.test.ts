import { describe, expect, it } from 'vitest'
import { isVariable } from './check-flow.ts'
import { requestFaults } from './check-request.ts'
import { newNodeData } from './new-node.ts'
import {
  filledHeader,
  filledJson,
  filledUrl,
  partsOfPath,
  type RequestValues,
  secretsOfRequest,
  variablesOfRequest,
} from './request-template.ts'

const valued = (values: Record<string, string>): RequestValues => ({
  variable: (name) => values[name] ?? '',
  secret: (name) => `segredo de ${name}`,
})

describe('an address', () => {
  it('takes values behind the host, escaped', () => {
    const url = filledUrl(' https://api.example:8443/a/{x}?q={x}#{x} ', valued({ x: 'ç/?#&=%' }))
    const escaped = encodeURIComponent('ç/?#&=%')
    expect(url?.href).toBe(`https://api.example:8443/a/${escaped}?q=${escaped}#${escaped}`)
    expect(filledUrl('https://api.example/{x}', valued({ x: '\ud800' }))?.href).toBe('https://api.example/%EF%BF%BD')
  })

  it.each([
    'https://{x}.example/',
    'https://api.example{x}/',
    'https://api.example:{x}/',
    '{x}',
    'https://user:pass@api.example/',
    'https://api.example\\@evil.example/',
    'ftp://api.example/',
    'javascript:alert(1)',
    'api.example/a',
    'https://',
    '',
  ])('is none: %s', (template) => expect(filledUrl(template, valued({ x: 'a' }))).toBeUndefined())

  it.each(['..', '.', '%2e%2E'])('is not left upwards by a value: %s', (x) => {
    const url = filledUrl('https://api.example/clientes/{x}/notas', valued({ x }))
    if (url) expect(url.pathname).toMatch(/^\/clientes\/[^/]+\/notas$/)
  })
})

describe('JSON', () => {
  const values = valued({ t: 'a"b\\c\n{n}', n: '1.5e3', zero: '007', yes: 'true', none: '' })

  it('takes text within quotes, and elsewhere numbers as such and text with quotes', () => {
    const filled = filledJson('{"t": "x {t} {n}", "n": {n}, "z": {zero}, "y": {yes}, "e": {none}, "k": {t}}', values)
    expect(JSON.parse(filled)).toEqual({
      ...{ t: 'x a"b\\c\n{n} 1.5e3', n: 1500, z: '007', y: true, e: '', k: 'a"b\\c\n{n}' },
    })
  })

  it('takes secrets by their names, whatever a value says', () => {
    const filled = filledJson('["{{segredo:CHAVE}}", {{segredo:chave}}, "{t}"]', valued({ t: '{{segredo:chave}}' }))
    expect(JSON.parse(filled)).toEqual(['segredo de chave', 'segredo de chave', '{{segredo:chave}}'])
  })

  it('is read in linear time', () => {
    const long = `${'"\\'.repeat(10_000)}${'{a'.repeat(10_000)}${'{{segredo:'.repeat(1000)}`
    expect(filledJson(long, values).length).toBeGreaterThan(0)
  })
})

it('a header has no line breaks', () => {
  expect(filledHeader('Bearer {x}', valued({ x: 'a\r\nx-mau: 1\u0000' }))).toBe('Bearer a  x-mau: 1')
})

describe('a path in the reply', () => {
  it.each([
    ['pedido.itens[0].nome', ['pedido', 'itens', 0, 'nome']],
    ['[2][1]', [2, 1]],
    ['título com espaço', ['título com espaço']],
    ['', []],
  ])('is read: %s', (path, parts) => expect(partsOfPath(path)).toEqual(parts))

  it.each(['a..b', 'a.', '.a', 'a[', 'a[x]', 'a[0]b', 'a[-1]', `a${'.a'.repeat(20)}`, 'a.[0]'])('is none: %s', (path) =>
    expect(partsOfPath(path)).toBeUndefined(),
  )
})

describe('the check of a request', () => {
  const request = { ...newNodeData.request, url: 'https://api.example/' }
  const faults = (part: Partial<typeof request>) => requestFaults({ ...request, ...part }, isVariable)

  it('finds nothing in a plain one', () => {
    expect(faults({})).toEqual([])
    expect(
      faults({ method: 'POST', body: '{"a": "{b}", "n": {n}}', headers: [{ name: 'X-A', value: '{b}' }] }),
    ).toEqual([])
  })

  it('finds what would not be sent, or not be stored', () => {
    expect(faults({ url: '' })).toHaveLength(1)
    expect(faults({ url: 'https://{a}/' })).toHaveLength(1)
    expect(faults({ method: 'PUT', body: '{a: 1}' })).toEqual(['O corpo não é um JSON válido.'])
    expect(faults({ method: 'GET', body: '{a: 1}' })).toEqual([])
    for (const name of ['Host', 'content-length', 'Idempotency-Key', 'a b', '', 'x:'])
      expect([name, faults({ headers: [{ name, value: '' }] }).length]).toEqual([name, 1])
    expect(faults({ headers: ['X-A', 'x-a'].map((name) => ({ name, value: '' })) })).toHaveLength(1)
    expect(faults({ results: [{ path: 'a..b', variable: 'nome' }] })).toHaveLength(2)
    expect(faults({ results: ['a', 'a'].map((variable) => ({ path: 'a', variable })) })).toHaveLength(1)
  })

  it('knows what it names', () => {
    const named = { ...request, method: 'POST' as const, body: '"{{segredo:chave}} {nome} {Nome}"' }
    expect([secretsOfRequest(named), variablesOfRequest(named)]).toEqual([['chave'], ['nome']])
    expect(secretsOfRequest({ ...named, method: 'GET' })).toEqual([])
  })
})
