import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { endpoints } from '@prosa/contracts/http/endpoints'
import { describe, expect, it } from 'vitest'
import { paths } from '../../src/lib/paths.ts'
import { calls, callsThatDeviate, pushes, screens } from './calls.ts'
import { limits } from './limits.ts'

const textOf = (file: string) => readFileSync(join(resolve(import.meta.dirname, '../../..'), file), 'utf8')
const rows = textOf('docs/decisions/specification.md')

describe('of the specification', () => {
  it('each call is an endpoint, or has its row among the deviations', () => {
    const known = new Set<string>(endpoints.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, '{}')}`))
    const isKnown = (call: string) => known.has(call.replaceAll(/\{\w+\}/g, '{}'))
    expect(calls.filter((call) => !isKnown(call))).toEqual(Object.keys(callsThatDeviate))
    for (const row of Object.values(callsThatDeviate)) expect(rows).toContain(row)
    console.log(`Calls of the specification: ${calls.length}, deviating ${Object.keys(callsThatDeviate).length}`)
  })

  it('each push has its name', () => {
    const names = textOf('contracts/src/realtime.ts')
    expect(pushes.filter((name) => !names.includes(`${name}': (`) && !names.includes(`${name}: (`))).toEqual([])
  })

  it('each screen has its address', () => {
    const routed = [...textOf('web/src/app/router.tsx').matchAll(/<Route path=\{`?(?:\$\{)?paths\.(\w+)/g)]
    const known = routed.map(([, name = '']) => paths[name as keyof typeof paths])
    expect(screens.filter((screen) => !known.some((path) => path === screen))).toEqual([])
  })

  it.each(limits)('%s', (_, file, words) => {
    expect(textOf(file)).toContain(words)
  })
})
