import { randomBytes, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { secretBox } from '../../privacy/secret-box.ts'
import { tokensOfLog } from './tokens-of-log.ts'

it('reads tokens of its own log only, and those of earlier releases in a log that is no copy', () => {
  const box = secretBox(randomBytes(32))
  const first = randomUUID()
  const logs = [
    tokensOfLog(box, { logId: first, copyOf: undefined }),
    tokensOfLog(box, { logId: randomUUID(), copyOf: first }),
    tokensOfLog(box, { logId: randomUUID(), copyOf: first }),
  ]
  for (const [of, { token, digitTokens }] of logs.entries())
    for (const [by, { readToken, readDigitToken }] of logs.entries()) {
      expect(readToken(token('42', 'position ana'), 'position ana')).toBe(of === by ? '42' : undefined)
      const [short = ''] = digitTokens(['0042'], 'position ana')
      expect(readDigitToken(short, 'position ana')).toBe(of === by ? '0042' : undefined)
    }
  expect(logs[0]?.readToken(box.token('42', 'position ana'), 'position ana')).toBe('42')
  expect(logs[1]?.decrypt(box.encrypt(Buffer.from('key'), 'key'), 'key').toString()).toBe('key')
  expect(logs[1]?.fingerprint('a', 'b')).toBe(box.fingerprint('a', 'b'))
})
