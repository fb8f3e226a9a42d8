// @vitest-environment node
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const web = resolve(import.meta.dirname, '..')
const vite = resolve(web, '../node_modules/vite/bin/vite.js')
const run = promisify(execFile)

const built: Record<'production' | 'simulator', string> = { production: '', simulator: '' }

const build = async (mode: keyof typeof built) => {
  built[mode] = await mkdtemp(join(tmpdir(), `prosa-web-${mode}-`))
  await run(process.execPath, [vite, 'build', '--mode', mode, '--outDir', built[mode], '--emptyOutDir'], {
    cwd: web,
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  })
}

const assets = async (mode: keyof typeof built) => {
  const folder = join(built[mode], 'assets')
  const names = (await readdir(folder)).filter((name) => /\.(js|css)$/.test(name))
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })))
}

const simulatorWords = /simulador|Telefones simulados/

beforeAll(async () => {
  await build('production')
  await build('simulator')
}, 120_000)

afterAll(() => Promise.all(Object.values(built).map((folder) => rm(folder, { recursive: true, force: true }))))

describe('a production build', () => {
  it('holds nothing of the simulated phones, which the simulator build has', async () => {
    const speaking = async (mode: keyof typeof built) =>
      (await assets(mode)).filter(({ name, text }) => simulatorWords.test(text) || simulatorWords.test(name)).length
    expect(await speaking('simulator')).toBeGreaterThan(0)
    expect(await speaking('production')).toBe(0)
  })

  it('shows a visitor the first screen with at most 120 kB, compressed', async () => {
    const page = await readFile(join(built.production, 'index.html'), 'utf8')
    const first = (await assets('production')).filter(({ name }) => page.includes(name))
    expect(first.length).toBeGreaterThanOrEqual(2)
    const bytes = first.reduce((sum, { text }) => sum + gzipSync(text).byteLength, 0)
    expect(bytes).toBeLessThanOrEqual(120_000)
  })

  it('asks no other server for anything', async () => {
    const addresses = (await assets('production')).flatMap(
      ({ text }) => text.match(/(?:url\(|src=["'])\s*https?:[^)"']+/g) ?? [],
    )
    expect(addresses).toEqual([])
  })
})
