import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Position } from '../../event-store/port.ts'
import { secretBox } from '../../privacy/secret-box.ts'
import { administrators, positionTokens } from './position-tokens.ts'

const key = randomBytes(32)
const tokens = positionTokens(secretBox(key))
const at = (number: number) => String(number).padStart(19, '0') as Position

describe('a position of the log as a browser gets it', () => {
  it('is read by every process with the same key, for the tenant that got it', () => {
    for (const token of [tokens.tokenOf('ana', at(42)), ...tokens.tokensOf('ana', [at(42)])]) {
      expect(positionTokens(secretBox(key)).latestOf('ana', token)).toBe(at(42))
      expect(tokens.latestOf('bia', token)).toBeUndefined()
      expect(positionTokens(secretBox(randomBytes(32))).latestOf('ana', token)).toBeUndefined()
    }
  })

  const ofEach = (tenant: string, positions: readonly Position[]) =>
    positions.map((each) => tokens.tokenOf(tenant, each))
  it.each([
    ['one by one', ofEach],
    ['many at once', tokens.tokensOf],
  ])('reveals neither the position nor which of two is later, nor that another tenant is at the same: %s', (_, of) => {
    const positions = Array.from({ length: 500 }, (_, index) => at(index + 1))
    const all = of('ana', positions)
    expect(all.map((token) => tokens.latestOf('ana', token))).toEqual(positions)
    expect(new Set(all.map((token) => token.length)).size).toBe(1)
    for (const [index, token] of all.entries()) {
      expect(token).toMatch(/^[\w-]+$/)
      expect(Buffer.from(token, 'base64url').includes(String(index + 1).padStart(19, '0'))).toBe(false)
    }
    const risesTo = (before: string, next: string) => before < next
    const rises = all.slice(1).filter((token, index) => risesTo(all[index] ?? '', token)).length
    expect(Math.abs(rises - 250)).toBeLessThan(60)
    expect(of('bia', [at(7)])).not.toEqual(of('ana', [at(7)]))
    expect(of('ana', [at(7)])).toEqual(of('ana', [at(7)]))
  })

  it('is of any width that a log prints', () => {
    const widest = [`${2n ** 63n - 1n}`.padStart(20, '0'), '0'.repeat(20)] as Position[]
    expect(tokens.tokensOf('ana', widest).map((token) => tokens.latestOf('ana', token))).toEqual(widest)
    expect(tokens.tokensOf('ana', [])).toEqual([])
  })

  it('is the same text again for the same, so that a page keeps it once', () =>
    expect(tokens.tokenOf('ana', at(7))).toBe(tokens.tokenOf('ana', at(7))))

  it('comes with others, of which the latest counts, in any order', () => {
    const named = [3, 11, 7].map((number) => tokens.tokenOf('ana', at(number)))
    expect(tokens.latestOf('ana', named.join(', '))).toBe(at(11))
    expect(tokens.latestOf('ana', named.toReversed().join(','))).toBe(at(11))
    expect(tokens.latestOf('ana', `${tokens.tokenOf('bia', at(99))}, ${named[0]}`)).toBe(at(3))
  })

  it('is neither decrypted nor remembered where the text is longer than any of ours', () => {
    const box = secretBox(key)
    const asked: string[] = []
    const { tokenOf, latestOf } = positionTokens({
      ...box,
      readToken(token, context) {
        asked.push(token)
        return box.readToken(token, context)
      },
    })
    expect(latestOf('ana', `${'x'.repeat(1500)}, ${tokenOf('ana', at(4))}`)).toBe(at(4))
    expect(asked).toEqual([tokenOf('ana', at(4))])
  })

  it('is what administrators are told at once, too', () => {
    expect(tokens.latestOf('chief', tokens.tokenOf(administrators, at(5)))).toBe(at(5))
    expect(tokens.latestOf(administrators, tokens.tokenOf('ana', at(5)))).toBeUndefined()
  })

  it.each<[string, unknown]>([
    // Its delay would reveal the log's size.
    ['a plain position, as releases before gave it', at(1)],
    ['nothing', ''],
    ['no header', undefined],
    ['a number', 7],
    ['several headers', [tokens.tokenOf('ana', at(1))]],
    ['commas', ',,,,'],
    ['no such text', 'çãé💥'],
    ['half a short token', tokens.tokensOf('ana', [at(1)])[0]?.slice(0, 11)],
    [
      'a changed short token',
      tokens.tokensOf('ana', [at(1)])[0]?.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    ],
    ['a short token with other bits at its end', tokens.tokensOf('ana', [at(1)])[0]?.replace(/.$/, 'B')],
    ['half a token', tokens.tokenOf('ana', at(1)).slice(0, 20)],
    ['a changed token', tokens.tokenOf('ana', at(1)).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['far more than a page sends', `${tokens.tokenOf('ana', at(1))},`.repeat(10_000)],
  ])('is not %s', (_, header) => expect(tokens.latestOf('ana', header)).toBeUndefined())
})
