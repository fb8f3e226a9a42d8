import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { deviations } from './deviations.ts'
import { textsOfSpecification } from './texts.ts'

const root = resolve(import.meta.dirname, '../../..')

let running = ''
let rows = ''
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/builds/build-production.mjs')], { cwd: root })
  const folder = join(root, 'web/dist/production/assets')
  const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js')).map((name) => join(folder, name))
  const files = [...scripts, join(root, 'deploy/dist/all-in-one.js')]
  running = plain((await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n'))
  rows = await readFile(join(root, 'docs/decisions/specification.md'), 'utf8')
}, 120_000)

const plain = (script: string) =>
  script
    .replaceAll(/\\u([\da-f]{4})|\\x([\da-f]{2})/gi, (_, long, short) =>
      String.fromCharCode(Number.parseInt(long ?? short, 16)),
    )
    .replaceAll('\\', '')

/** A text with braces matches part by part. */
const isFound = (text: string) => {
  const [whole = '', ...rest] = text.split(/\{[^}]*\}/)
  if (rest.length > 0) return [whole, ...rest].every((part) => running.includes(part.trim()))
  return ['"', "'", '`'].some((quote) => running.includes(quote + whole + quote)) || isPart(whole)
}
const isPart = (text: string) => text.length > 12 && running.includes(text)

const all = Object.values(textsOfSpecification).flat()

describe.each(Object.entries(textsOfSpecification))('the texts of %s', (_, texts) => {
  it('are in the product, or have their row among the deviations', () => {
    const missing = texts.filter((text) => !isFound(text) && !Object.hasOwn(deviations, text))
    expect(missing).toEqual([])
  })
})

it('each deviation stands in the table, and is one', () => {
  for (const [text, row] of Object.entries(deviations)) {
    expect(all).toContain(text)
    expect([text, rows.includes(row)]).toEqual([text, true])
    expect([text, isFound(text)]).toEqual([text, false])
  }
})

it('of the texts, so many are there', () => {
  const found = all.filter(isFound).length
  const deviating = Object.keys(deviations).length
  console.log(`Texts of the specification: ${all.length}; found ${found}, deviating ${deviating}`)
  expect(found + deviating).toBe(all.length)
})
