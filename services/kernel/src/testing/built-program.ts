import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { type BuildOptions, build } from 'esbuild'

const root = join(import.meta.dirname, '../../../..')
/** Beside the hosts, so that imports resolve alike. */
const folder = join(root, 'deploy/dist')

const bundler: { bundleOptions: (name: string, outfile: string) => BuildOptions } = await import(
  join(root, 'scripts/builds/bundle.mjs')
)

const built = new Map<string, Promise<string>>()

/** Bundled like the hosts: tsx takes three times the processor time. */
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

/** A current run may use recent ones. */
const removeOld = async (name: string): Promise<void> => {
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(`${name}-`)) continue
    const { mtimeMs } = await stat(join(folder, entry))
    if (mtimeMs < Date.now() - dayMs) await rm(join(folder, entry), { force: true })
  }
}
