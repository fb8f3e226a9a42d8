import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const kernel = join(import.meta.dirname, '..')

const written = `interface Gone { a: 1 }

export const fail = (_: Gone): never => {
  throw new Error('no')
}
`
const program = `
import { serializeError } from ${JSON.stringify(join(kernel, 'observability/serialize-error.ts'))}
import { failureOf } from ${JSON.stringify(join(kernel, 'consumers/engine/failure.ts'))}
import { fail } from './written.ts'
try {
  fail({ a: 1 })
} catch (error) {
  console.log(JSON.stringify({ logged: serializeError(error).stack[0], stored: failureOf(error, 1).message }))
}
`

/** In plain node: vitest maps positions itself. */
const locationsIn = async (name: string, sourcemap: boolean): Promise<{ logged: string; stored: string }> => {
  const above = await mkdtemp(join(tmpdir(), 'prosa-bundle-'))
  onTestFinished(() => rm(above, { recursive: true, force: true }))
  const folder = join(above, name)
  await mkdir(folder)
  await writeFile(join(folder, 'written.ts'), written)
  await writeFile(join(folder, 'program.ts'), program)
  const outfile = join(folder, 'bundle.mjs')
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" }
  await build({
    entryPoints: [join(folder, 'program.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['pg-native'],
    banner,
    sourcemap,
  })
  return JSON.parse((await run(process.execPath, [outfile])).stdout)
}

it.each(['prosa', 'Loja da Ana (1), 100%20 Área'])(
  'logs and stores where an error was thrown by the lines that were written, not by those of the bundle: in %j',
  async (name) => {
    const { logged, stored } = await locationsIn(name, true)
    expect(logged).toMatch(/\/written\.ts:4:9$/)
    expect(stored).toBe('thrown at written.ts:4')
    const bare = await locationsIn(name, false)
    expect(bare.logged).toMatch(/\/bundle\.mjs:\d+:\d+$/)
    expect(bare.stored).toMatch(/^thrown at bundle\.mjs:\d+$/)
  },
)
