import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkOf, noLink, proofLine, withLink } from '@prosa/kernel/operations/hash-chain/exported-lines'
import { openInstallationKeys } from '@prosa/kernel/privacy/installation-keys'
import { masterKeys } from '@prosa/kernel/privacy/master-keys'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { afterAll, beforeAll, expect, it } from 'vitest'

const secret = Buffer.alloc(32, 7)
let folder: string
let database: Awaited<ReturnType<typeof kernelDatabase>>
let sign: (text: string) => string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-export-'))
  database = await kernelDatabase()
  const box = secretBox(await openInstallationKeys(database.pool, secret, masterKeys(secret)))
  sign = (text) => box.fingerprint(text, 'history export')
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const fileOf = async (name: string, change: (text: string) => string = (text) => text, by = sign) => {
  let chain = noLink
  const lines = [1, 2, 3].map((posicao) => {
    const line = JSON.stringify({ posicao })
    chain = linkOf(chain, line)
    return withLink('ndjson', line, chain)
  })
  const range = { madeAt: '2026-11-27T10:00:00.000Z', logId: 'log', from: '1', to: '9', filters: {} }
  const proof = proofLine('ndjson', { version: 1, format: 'ndjson', ...range, count: 3, chain }, by)
  const path = join(folder, name)
  await writeFile(path, change(lines.join('') + proof))
  return path
}

const verify = async (...parameters: string[]) => {
  const program = await builtProgram(join(import.meta.dirname, '../src/verify-export.ts'))
  return new Promise<{ code: number; text: string }>((resolve) => {
    const env = {
      ...process.env,
      ...{
        DATABASE_URL: database.url,
        PROSA_SECRET: secret.toString('hex'),
        PROSA_DATA_DIR: folder,
        NODE_ENV: 'development',
      },
    }
    execFile(process.execPath, [program, ...parameters], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: stdout + stderr }),
    )
  })
}

it('says by sentence and exit code what an export is', { timeout: 180_000 }, async () => {
  const whole = await fileOf('whole')
  expect(await verify(whole)).toEqual({ code: 0, text: expect.stringContaining('The export is whole: 3 events') })
  expect(await verify(whole, '--chain-only')).toMatchObject({ code: 0 })
  const changed = await fileOf('changed', (text) => text.replace('"posicao":2', '"posicao":8'))
  expect(await verify(changed)).toEqual({ code: 1, text: expect.stringContaining('line 2 was changed') })
  const anew = await fileOf('anew', undefined, () => 'a'.repeat(64))
  expect(await verify(anew, '--chain-only')).toMatchObject({ code: 0 })
  expect(await verify(anew)).toEqual({ code: 1, text: expect.stringContaining('did not sign') })
  const cut = await fileOf('cut', (text) => text.slice(0, -100))
  expect(await verify(cut, '--chain-only')).toEqual({ code: 1, text: expect.stringContaining('was cut off') })
  expect(await verify(join(folder, 'none'))).toEqual({ code: 1, text: expect.stringContaining('There is no file') })
  expect(await verify()).toEqual({ code: 1, text: expect.stringContaining('npm run verify-export') })
})
