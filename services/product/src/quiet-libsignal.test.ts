import { afterEach, beforeEach, expect, test } from 'vitest'
import { quietLibsignal } from './quiet-libsignal.ts'

const levels = ['info', 'warn', 'error', 'log'] as const
const originals = { ...console }
let printed: unknown[][]

beforeEach(() => {
  printed = []
  for (const level of levels) console[level] = (...parts: unknown[]) => printed.push(parts)
})
afterEach(() => {
  for (const level of levels) console[level] = originals[level]
})

test("libsignal's sessions, which hold private keys, are not printed; everything else is", () => {
  quietLibsignal()
  quietLibsignal()
  console.info('Closing session:', { privKey: 'secret' })
  console.warn('Session already closed', { privKey: 'secret' })
  console.error('Session error:Error: Bad MAC', 'stack')
  console.log('V1 session storage migration error', { privKey: 'secret' })
  console.log('Unhandled bucket type', { privKey: 'secret' })
  console.info('Prosa em http://localhost:3000')
  console.error(new Error('ours'))
  expect(printed).toEqual([['Prosa em http://localhost:3000'], [new Error('ours')]])
})
