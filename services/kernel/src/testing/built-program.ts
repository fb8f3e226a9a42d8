import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { build, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '../../../..')
/** From here a program finds what npm installed and, two folders up as in `deploy/dist`, the web app that was built. */
const folder = join(root, 'node_modules/.prosa-test-programs')

/** Whether a workspace between this folder and the root has a version of its own. */
const isInstalledBelowRoot = (from: string, packageName: string): boolean => {
  if (from === root || from === dirname(from)) return false
  return existsSync(join(from, 'node_modules', packageName)) || isInstalledBelowRoot(dirname(from), packageName)
}

const packagesStayOutside: Plugin = {
  name: 'packages-stay-outside',
  setup(building) {
    building.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === packagesStayOutside || kind === 'entry-point' || path.startsWith('@prosa/')) return undefined
      const packageName = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
      if (!isInstalledBelowRoot(dirname(importer), packageName)) return { path, external: true }
      const own = await building.resolve(path, { kind, importer, resolveDir, pluginData: packagesStayOutside })
      return { path: own.path, external: true }
    })
  },
}

const built = new Map<string, Promise<string>>()

/**
 * One file of JavaScript that does what this program of ours does, to be run by node alone, as the product is where it is installed.
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
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [program],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
    plugins: [packagesStayOutside],
  })
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 16)
  const name = basename(program, '.ts')
  const file = join(folder, `${name}-${hash}.mjs`)
  if (existsSync(file)) return file
  await mkdir(folder, { recursive: true })
  await removeOld(name)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, contents)
  await rename(draft, file)
  return file
}

const dayMilliseconds = 86_400_000

/** What was made of sources that have changed since; a run of today may still start its own. */
const removeOld = async (name: string): Promise<void> => {
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(`${name}-`)) continue
    const { mtimeMs } = await stat(join(folder, entry))
    if (mtimeMs < Date.now() - dayMilliseconds) await rm(join(folder, entry), { force: true })
  }
}
