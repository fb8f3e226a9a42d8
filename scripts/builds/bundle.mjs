import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, relative } from 'node:path'
import { inRoot } from '../root.mjs'
import { services } from '../workspaces.mjs'
import { whenStale } from './when-stale.mjs'

const sources = () => [
  'contracts/src',
  'projections/src',
  ...services().map((service) => `${service}/src`),
  'deploy/src',
  'scripts/builds/bundle.mjs',
  'package-lock.json',
]

/** Our sources go inside, npm packages stay outside. */
export const bundleOptions = (name, outfile) => ({
  absWorkingDir: inRoot(),
  entryPoints: [`deploy/src/${name}.ts`],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  logLevel: 'warning',
  plugins: [packagesStayOutside],
})

export const bundleHost = (name) => bundle(name, `deploy/dist/${name}.js`)

/** One file that needs Node and nothing else, for whoever has a key and no copy of the sources. */
export const bundleReplay = () => {
  const outfile = 'deploy/dist/replay.mjs'
  return whenStale(outfile, sources(), async () => {
    const { build } = await import('esbuild')
    const { plugins, ...options } = bundleOptions('../../services/streams/src/replay/main', outfile)
    // Packages that are no modules ask for Node's by `require`.
    const require = "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)"
    const banner = { js: `#!/usr/bin/env node\n${require}` }
    await build({ ...options, sourcemap: false, minify: true, banner })
  })
}

export const bundleMains = () =>
  Promise.all(
    [...services(), 'projections']
      .filter((workspace) => existsSync(inRoot(workspace, 'src/main.ts')))
      .map((workspace) => bundle(`../../${workspace}/src/main`, `deploy/dist/services/${basename(workspace)}.js`)),
  )

const bundle = (name, outfile) =>
  whenStale(outfile, sources(), async () => {
    const { build } = await import('esbuild')
    await build(bundleOptions(name, outfile)).catch((cause) => {
      throw new Error(`${outfile} could not be made; esbuild says why above.`, { cause })
    })
  })

const packagesStayOutside = {
  name: 'packages-stay-outside',
  setup({ onResolve, initialOptions }) {
    const besideBundle = inRoot(initialOptions.outfile, '..')
    const fromBundle = createRequire(inRoot('deploy', 'dist', 'bundle.js'))
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point' || path.startsWith('@prosa/')) return undefined
      if (path.startsWith('node:')) return { path, external: true }
      // Where npm installed two versions, the bundle's own folder may resolve to the wrong one.
      const [seen, found] = [createRequire(importer), fromBundle].map((from) => packageFolder(from, path))
      if (seen === found) return { path, external: true }
      const file = seen && createRequire(importer).resolve(path)
      return file ? { path: relative(besideBundle, file), external: true } : undefined
    })
  },
}

const packageFolder = (from, path) => {
  const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
  const folders = from.resolve.paths(name) ?? []
  return folders.map((folder) => `${folder}/${name}`).find(existsSync)
}
