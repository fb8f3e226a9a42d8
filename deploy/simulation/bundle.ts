import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import type { PlantedFault } from './planted-faults.ts'

const root = join(import.meta.dirname, '../..')
const here = join(root, 'deploy/simulation')

const bundler: { bundleOptions: (name: string, outfile: string) => BuildOptions } = await import(
  join(root, 'scripts/builds/bundle.mjs')
)

/** Replaces time, chance and the network for the product, not for the simulation. */
const platform: Record<string, string> = {
  pg: `import real from 'pg'
    import { Client } from './pg-client.ts'
    import { Pool } from './pg-pool.ts'
    const { DatabaseError, Query, escapeIdentifier, escapeLiteral, types } = real
    export { Client, DatabaseError, Pool, Query, escapeIdentifier, escapeLiteral, types }
    export default { Client, DatabaseError, Pool, Query, escapeIdentifier, escapeLiteral, types }`,
  'node:crypto': `export * from 'node:crypto'
    export { randomBytes, randomInt, randomUUID } from './random-ids.ts'`,
  'node:timers/promises': `export * from './timers-promises.ts'`,
  '@node-rs/argon2': `export * from './quick-argon2.ts'`,
}

const onThisPlatform: Plugin = {
  name: 'simulated-platform',
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: /^(pg|node:crypto|node:timers\/promises|@node-rs\/argon2)$/ },
      ({ path, importer, namespace }) =>
        namespace === 'platform' || importer.startsWith(here)
          ? { path, external: true }
          : { path, namespace: 'platform' },
    )
    onLoad({ filter: /.*/, namespace: 'platform' }, ({ path }) => ({
      contents: platform[path] ?? '',
      loader: 'ts',
      resolveDir: join(here, 'platform'),
    }))
  },
}

const planted = ({ file, from, to }: PlantedFault): Plugin => ({
  name: 'planted-fault',
  setup({ onLoad }) {
    onLoad({ filter: new RegExp(`${file.replace(/[.]/g, '\\.')}$`) }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (source.split(from).length !== 2) throw new Error(`${file} does not hold once what is to be replaced`)
      return { contents: source.replace(from, () => to), loader: 'ts' }
    })
  },
})

/** Bundles simulation and product into one file, with the faults planted. */
export const bundleSimulation = async (outfile: string, faults: readonly PlantedFault[] = []): Promise<void> => {
  const { plugins = [], ...options } = bundler.bundleOptions('../simulation/simulation-process', outfile)
  await build({
    ...options,
    inject: [join(here, 'platform/globals.ts')],
    define: {
      'performance.now': 'simulatedNow',
      'Date.now': 'simulatedNow',
      'Math.random': 'simulatedRandom',
    },
    plugins: [onThisPlatform, ...faults.map(planted), ...plugins],
  })
}
