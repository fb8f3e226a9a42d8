import { describe, expect, it } from 'vitest'
import { secretBox } from '../privacy/secret-box.ts'
import { capturedLog } from '../testing/captured-log.ts'
import { isSecurityRefusal, securityLog } from './security-log.ts'

const opened = () => {
  const captured = capturedLog()
  let now = 0
  const box = secretBox(new Uint8Array(32).fill(7))
  const log = securityLog({ log: captured.log, box }, () => now)
  return { ...captured, log, later: (ms: number) => (now += ms) }
}

describe('the security log', () => {
  it('writes equal events once a minute and then how many it left out', () => {
    const { log, lines, later } = opened()
    for (let attempt = 0; attempt < 5; attempt++) log.record('foreign_origin', { ip: '192.0.2.7', route: '/api/x' })
    expect(lines()).toHaveLength(1)
    later(60_000)
    log.record('foreign_origin', { ip: '192.0.2.7', route: '/api/x' })
    expect(lines()).toMatchObject([{ security: 'foreign_origin', route: '/api/x' }, { omitted: 4 }])
  })

  it('counts addresses, accounts and routes separately', () => {
    const { log, lines } = opened()
    for (const ip of ['192.0.2.7', '192.0.2.8', '2001:db8::1', '2001:db8::2', '2001:db8:1::1'])
      log.record('wrong_credentials', { ip })
    log.record('wrong_credentials', { ip: '192.0.2.7', userId: 'someone' })
    log.record('wrong_credentials', { ip: '192.0.2.7', route: '/elsewhere' })
    expect(lines()).toHaveLength(6)
  })

  it('names an address by a keyed hash, the same one each time', () => {
    const { log, output, lines } = opened()
    log.record('foreign_origin', { ip: '192.0.2.7' })
    log.record('not_allowed', { ip: '192.0.2.7' })
    expect(output()).not.toContain('192.0.2')
    expect(new Set(lines().map(({ address }) => address)).size).toBe(1)
  })

  it('is about who was not let in', () => {
    expect([isSecurityRefusal('not_allowed', 403), isSecurityRefusal('reset_link_invalid', 410)]).toEqual([true, true])
    expect(isSecurityRefusal('contact_not_found', 404)).toBe(false)
  })
})
