import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const folderOf = (mode: 'production' | 'simulator') => join(root, 'web/dist', mode)

const assets = async (mode: 'production' | 'simulator') => {
  const folder = join(folderOf(mode), 'assets')
  const names = (await readdir(folder)).filter((name) => /\.(js|css)$/.test(name))
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })))
}

/** The page, these chunks and their static imports. */
const scriptFor = async (chunks: string[]): Promise<{ files: number; compressedBytes: number }> => {
  const scripts = new Map((await assets('production')).map(({ name, text }) => [name, text]))
  const needed = new Set<string>()
  const need = (name: string) => {
    const text = scripts.get(name)
    if (text === undefined) throw new Error(`The build has no ${name}`)
    if (needed.has(name)) return
    needed.add(name)
    for (const [, imported = ''] of text.matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/g)) need(imported)
  }
  const page = await readFile(join(folderOf('production'), 'index.html'), 'utf8')
  for (const [, name = ''] of page.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)) need(name)
  expect(needed.size).toBeGreaterThan(0)
  for (const chunk of chunks) need([...scripts.keys()].find((name) => name.startsWith(`${chunk}-`)) ?? chunk)
  const compressedBytes = [...needed].reduce((sum, name) => sum + gzipSync(scripts.get(name) ?? '').byteLength, 0)
  return { files: needed.size, compressedBytes }
}

/** Extended: 24 bits each, less one. Simple and lossy: 14 bits each. */
const sizeOfWebp = (webp: Buffer): [width: number, height: number] => {
  const format = webp.toString('latin1', 8, 16)
  if (format === 'WEBPVP8X') return [webp.readUIntLE(24, 3) + 1, webp.readUIntLE(27, 3) + 1]
  if (format === 'WEBPVP8 ') return [webp.readUInt16LE(26) & 0x3fff, webp.readUInt16LE(28) & 0x3fff]
  throw new Error(`unexpected format ${format}`)
}

const simulatorWords = /simulador|Telefones simulados/

beforeAll(async () => {
  for (const script of ['build-local', 'build-production'])
    await promisify(execFile)(process.execPath, [join(root, `scripts/builds/${script}.mjs`)], { cwd: root })
}, 120_000)

describe('a production build', () => {
  it('holds nothing of the simulated phones, which the simulator build has', async () => {
    const speaking = async (mode: 'production' | 'simulator') =>
      (await assets(mode)).filter(({ name, text }) => simulatorWords.test(text) || simulatorWords.test(name)).length
    expect(await speaking('simulator')).toBeGreaterThan(0)
    expect(await speaking('production')).toBe(0)
  })

  it('asks at most 120 kB of script of a visitor until the login, compressed', async () => {
    expect((await scriptFor(['login-page'])).compressedBytes).toBeLessThanOrEqual(120_000)
  })

  it('brings live chat into use with at most 250 kB of script, compressed', async () => {
    expect((await scriptFor(['app-shell', 'live-chat-page'])).compressedBytes).toBeLessThanOrEqual(250_000)
  })

  it('asks for few files, which a browser fetches six at a time', async () => {
    expect((await scriptFor(['login-page'])).files).toBeLessThanOrEqual(6)
    expect((await scriptFor(['app-shell', 'live-chat-page'])).files).toBeLessThanOrEqual(18)
  })

  it.each(['production', 'simulator'] as const)(
    'has no files in %s that import each other in a circle',
    async (mode) => {
      // Such a cycle leaves every screen empty.
      const imports = new Map(
        (await assets(mode)).map(({ name, text }) => [
          name,
          Array.from(text.matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/g), ([, imported = '']) => imported),
        ]),
      )
      const done = new Set<string>()
      const visit = (name: string, path: readonly string[]): void => {
        expect(path).not.toContain(name)
        if (done.has(name)) return
        for (const imported of imports.get(name) ?? []) visit(imported, [...path, name])
        done.add(name)
      }
      for (const name of imports.keys()) visit(name, [])
    },
  )

  it.each(['light', 'dark'])('has a landing picture (%s) of whole pixels a point, in at most 90 kB', async (scheme) => {
    const picture = await readFile(join(folderOf('production'), `landing/live-chat-${scheme}.webp`))
    expect(picture.byteLength).toBeLessThanOrEqual(90_000)
    const [width, height] = sizeOfWebp(picture)
    const pixelsAPoint = Math.max(1, Math.round(width / 1280))
    expect([width, height]).toEqual([1280 * pixelsAPoint, 800 * pixelsAPoint])
  })

  it('asks no other server for anything', async () => {
    const addresses = (await assets('production')).flatMap(
      ({ text }) => text.match(/(?:url\(|src=["'])\s*https?:[^)"']+/g) ?? [],
    )
    expect(addresses).toEqual([])
  })
})
