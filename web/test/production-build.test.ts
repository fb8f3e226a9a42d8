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
  await run(process.execPath, [vite, 'build', '--mode', mode, '--outDir', built[mode], '--emptyOutDir', '--manifest'], {
    cwd: web,
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  })
}

const assets = async (mode: keyof typeof built) => {
  const folder = join(built[mode], 'assets')
  const names = (await readdir(folder)).filter((name) => /\.(js|css)$/.test(name))
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })))
}

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

/** What a browser fetches before it can run these entries: them, their styles and whatever they import statically. */
const compressedBytes = async (entries: string[], which = /./): Promise<number> => {
  const manifest: Record<string, Chunk> = JSON.parse(
    await readFile(join(built.production, '.vite/manifest.json'), 'utf8'),
  )
  const files = new Set<string>()
  const seen = new Set<string>()
  const collect = (name: string) => {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`The build has no ${name}`)
    if (seen.has(name)) return
    seen.add(name)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const imported of chunk.imports ?? []) collect(imported)
  }
  for (const entry of entries) collect(entry)
  const sizes = [...files]
    .filter((file) => which.test(file))
    .map(async (file) => gzipSync(await readFile(join(built.production, file))).byteLength)
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
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
    expect(await compressedBytes(['index.html'])).toBeLessThanOrEqual(120_000)
  })

  it('is ready for a conversation with at most 250 kB of script, compressed', async () => {
    const screens = ['index.html', 'src/app/app-shell.tsx', 'src/features/live-chat/live-chat-page.tsx']
    expect(await compressedBytes(screens, /\.js$/)).toBeLessThanOrEqual(250_000)
  })

  it('brings live chat into use with at most 250 kB of script, compressed', async () => {
    const scripts = new Map((await assets('production')).map(({ name, text }) => [name, text]))
    const needed = new Set<string>()
    const need = (name: string) => {
      if (needed.has(name)) return
      needed.add(name)
      const text = scripts.get(name) ?? ''
      for (const [, imported] of text.matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/g))
        if (imported) need(imported)
    }
    const entries = [...scripts.keys()].filter((name) => /^(index|app-shell|live-chat-page)-.*\.js$/.test(name))
    expect(entries).toHaveLength(3)
    for (const name of entries) need(name)
    const bytes = [...needed].reduce((sum, name) => sum + gzipSync(scripts.get(name) ?? '').byteLength, 0)
    expect(bytes).toBeLessThanOrEqual(250_000)
  })

  it('asks no other server for anything', async () => {
    const addresses = (await assets('production')).flatMap(
      ({ text }) => text.match(/(?:url\(|src=["'])\s*https?:[^)"']+/g) ?? [],
    )
    expect(addresses).toEqual([])
  })
})
