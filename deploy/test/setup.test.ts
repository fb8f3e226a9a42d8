import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '@prosa/kernel/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string
const inFolder = (...path: string[]) => join(folder, ...path)
const running: { kill: (signal: 'SIGKILL') => void }[] = []

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'prosa-setup-')))
  await cp(fileURLToPath(new URL('../../scripts', import.meta.url)), inFolder('scripts'), { recursive: true })
})
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const run = async (lines: string, env: Record<string, string> = {}) => {
  const file = inFolder(`run-${running.length}.mjs`)
  await writeFile(file, lines)
  const child = spawn(process.execPath, [file], { cwd: folder, env: { ...process.env, ...env } })
  running.push(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => (printed += chunk))
  let code: number | null | undefined
  child.once('close', (exitCode) => (code = exitCode))
  return { child, printed: () => printed, ended: () => until(() => code !== undefined && { code, printed }) }
}

describe('the set-up', () => {
  it('installs what builds the product, also for whoever has NODE_ENV=production in the environment', async () => {
    const tool = { name: 'tool', version: '1.0.0' }
    const wanted = { name: 'shop', version: '1.0.0', devDependencies: { tool: 'file:tool' } }
    const packages = { '': wanted, 'node_modules/tool': { resolved: 'tool', link: true }, tool: { ...tool, dev: true } }
    await mkdir(inFolder('tool'))
    await writeFile(inFolder('tool', 'package.json'), JSON.stringify(tool))
    await writeFile(inFolder('package.json'), JSON.stringify(wanted))
    await writeFile(inFolder('package-lock.json'), JSON.stringify({ ...wanted, lockfileVersion: 3, packages }))
    const { ended } = await run("import { setup } from './scripts/setup.mjs'\nawait setup()", {
      NODE_ENV: 'production',
    })
    expect(await ended()).toMatchObject({ code: 0 })
    expect(await readFile(inFolder('node_modules', 'tool', 'package.json'), 'utf8')).toBe(JSON.stringify(tool))
  })
})

describe('the mutex of the set-up', () => {
  const take = (before = '') =>
    run(`import { mkdirSync, writeFileSync } from 'node:fs'
import { withMutex } from './scripts/running/setup-mutex.mjs'
const leave = (text) => {
  mkdirSync('.setup-mutex')
  writeFileSync('.setup-mutex/pid', text)
}
${before}
await withMutex(async () => console.log('taken'))`)

  it('is not waited for when whoever left it had the number that we have now', async () => {
    const { ended } = await take('leave(String(process.pid))')
    expect(await ended()).toEqual({ code: 0, printed: 'taken\n' })
  })

  it.runIf(process.platform !== 'win32')('is not waited for when its number is another process’s by now', async () => {
    const { ended } = await take("leave(process.ppid + ' 1 another-boot')")
    expect(await ended()).toEqual({ code: 0, printed: 'taken\n' })
  })

  it('is waited for while its holder lives, whoever waits learns of which file, and takes it after a kill', async () => {
    const holder = await run(`import { withMutex } from './scripts/running/setup-mutex.mjs'
setInterval(() => undefined, 1000)
await withMutex(() => new Promise(() => console.log('held')))`)
    await until(() => holder.printed().includes('held'))
    const { printed, ended } = await take()
    await until(() => printed().includes(inFolder('.setup-mutex')))
    expect(printed()).not.toContain('taken')
    holder.child.kill('SIGKILL')
    expect((await ended()).printed).toContain('taken')
  })
})
