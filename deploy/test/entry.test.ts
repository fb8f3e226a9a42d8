import { type Entry, readConfig } from '@prosa/product/process/config'
import { describe, expect, it } from 'vitest'

const secret = { PROSA_SECRET: 'ab'.repeat(32) }
const faultOf = (entry: Entry, variables: NodeJS.ProcessEnv): string => {
  try {
    readConfig(entry, variables)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('the production entry', () => {
  it.each([undefined, 'development', 'test', 'production'])('is production when NODE_ENV is %s', (NODE_ENV) => {
    expect(readConfig('production', { ...secret, NODE_ENV }).production).toBe(true)
    expect(faultOf('production', { NODE_ENV })).toContain('In production PROSA_SECRET must be set')
  })

  it('may listen for other machines', () => {
    expect(readConfig('production', { ...secret, PROSA_HOST: '0.0.0.0' }).hostname).toBe('0.0.0.0')
  })
})

describe('the development entry, which shows links and makes its own secret', () => {
  it.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])('listens on this machine: %s', (PROSA_HOST) => {
    expect(readConfig('development', { PROSA_HOST }).production).toBe(false)
  })

  it.each(['0.0.0.0', '::', '192.0.2.7', 'example.com', '127.0.0.1.example.com'])(
    'does not start where other machines reach it: %s',
    (PROSA_HOST) => {
      expect(faultOf('development', { PROSA_HOST })).toMatch(/^PROSA_HOST: .*npm run build/)
    },
  )

  it('does not start behind a public address', () => {
    const PROSA_PUBLIC_URL = 'http://localhost:3000,https://atendimento.example.com'
    expect(faultOf('development', { PROSA_PUBLIC_URL })).toContain("'https://atendimento.example.com'")
    expect(readConfig('development', { PROSA_PUBLIC_URL: 'http://localhost:3000' }).production).toBe(false)
  })

  it('does not start where NODE_ENV is production', () => {
    expect(faultOf('development', { NODE_ENV: 'production' })).toContain('all-in-one')
  })
})
