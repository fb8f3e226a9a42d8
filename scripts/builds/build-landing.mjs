import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../root.mjs'
import { whenStale } from './when-stale.mjs'

const sources = ['web/src', 'scripts/builds/build-landing.mjs', 'package-lock.json']
const folder = 'web/dist/landing'

export const buildLanding = () =>
  whenStale(folder, sources, async () => {
    const { build } = await import('esbuild')
    const options = { absWorkingDir: inRoot(), bundle: true, minify: true, logLevel: 'warning', write: false }
    const rendering = await build({
      ...options,
      entryPoints: ['web/src/features/landing/render-landing.tsx'],
      outfile: 'landing.mjs',
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      jsx: 'automatic',
      loader: { '.css': 'empty' },
      define: { 'process.env.NODE_ENV': '"production"' },
      // React's server build calls `require`, which an ES module does not have.
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    })
    const styles = await build({
      ...options,
      entryPoints: ['web/src/features/landing/landing-static.css'],
      outfile: 'landing.css',
      target: 'esnext',
    })
    mkdirSync(inRoot(folder), { recursive: true })
    writeFileSync(inRoot(join(folder, 'landing.mjs')), rendering.outputFiles[0].text)
    writeFileSync(inRoot(join(folder, 'landing.css')), styles.outputFiles[0].text.trim())
  })
