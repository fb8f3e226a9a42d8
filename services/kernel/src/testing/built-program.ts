import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { type BuildOptions, build } from 'esbuild'

const root = join(import.meta.dirname, '../../../..')
/** Beside the hosts that users run: from here a program finds what they find. */
const folder = join(root, 'deploy/dist')

const bundler: { bundleOptions: (name: string, outfile: string) => BuildOptions } = await import(
  join(root, 'scripts/bundle.mjs')
)

const built = new Map<string, Promise<string>>()

/**
 * One file of JavaScript that does what this program of ours does, bundled as the hosts are that users run, for node alone.
 * Starting one from its sources, under tsx, takes three times the processor's time.
 *
 * @param program the path of a TypeScript file
 */
export const builtProgram = (program: string): Promise<string> => {
  const known = built.get(program) ?? make(program)
  built.set(program, known)
  return known
}

const make = async (program: string): Promise<string> => {
  const name = `test-${basename(program, '.ts')}`
  const source = relative(join(root, 'deploy/src'), program).replace(/\.ts$/, '')
  const options = bundler.bundleOptions(source, `deploy/dist/${name}.mjs`)
  const { outputFiles } = await build({ ...options, sourcemap: false, write: false })
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 16)
  const file = join(folder, `${name}-${hash}.mjs`)
  if (existsSync(file)) return file
  await mkdir(folder, { recursive: true })
  await removeOld(name)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, contents)
  await rename(draft, file)
  return file
}

const dayMs = 86_400_000

/** What was made of sources that have changed since; a run of today may still start its own. */
const removeOld = async (name: string): Promise<void> => {
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(`${name}-`)) continue
    const { mtimeMs } = await stat(join(folder, entry))
    if (mtimeMs < Date.now() - dayMs) await rm(join(folder, entry), { force: true })
  }
}
