import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'
import { toldError } from './told-error.ts'

it('tells where an error was thrown by the lines that were written, not by those of the bundle', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-bundle-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const written = join(folder, 'written.ts')
  await writeFile(
    written,
    "interface Gone { a: 1 }\n\nexport const fail = (_: Gone): never => {\n  throw new Error('no')\n}\n",
  )
  for (const sourcemap of [true, false]) {
    const outfile = join(folder, `bundle-${sourcemap}.mjs`)
    await build({ entryPoints: [written], outfile, bundle: true, format: 'esm', sourcemap })
    const { fail } = await import(outfile)
    const error = (() => {
      try {
        return fail({ a: 1 })
      } catch (thrown) {
        return thrown
      }
    })()
    const [place] = toldError(error).stack as string[]
    expect(place).toMatch(sourcemap ? /\/written\.ts:4:9$/ : /\/bundle-false\.mjs:\d+:\d+$/)
  }
})
