import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { inRoot } from '../root.mjs'
import { runCommand } from '../running/run-command.mjs'
import { whenStale } from './when-stale.mjs'

const sources = [
  'contracts/src',
  'web/index.html',
  'web/public',
  'web/src',
  'web/emoji-data.ts',
  'web/material-icons.ts',
  'web/vite.config.ts',
  'scripts/builds/build-web.mjs',
  'package-lock.json',
]

/** Mode `simulator` contains the simulated phones. */
export const buildWeb = (mode) => {
  const folder = `web/dist/${mode}`
  return whenStale(folder, sources, async () => {
    console.log('Building the web app…')
    await vite(['build', '--mode', mode, '--logLevel', 'warn'])
    await compress(inRoot(folder))
  })
}

const vite = async (args) => {
  const main = join(createRequire(inRoot('web', 'package.json')).resolve('vite/package.json'), '../bin/vite.js')
  // Any other NODE_ENV would make a development build, with the simulator in it.
  const { code, output } = await runCommand([main, ...args], { cwd: inRoot('web'), env: { NODE_ENV: 'production' } })
  if (code !== 0) throw new Error(`The web app could not be built: ${output.trim()}`)
}

const worthCompressing = /\.(js|css|html|svg|json)$/
const leastBytes = 1024

/** Saves compression per request. */
const compress = async (folder) => {
  const names = readdirSync(folder, { recursive: true }).filter((name) => worthCompressing.test(name))
  await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name)
      const content = readFileSync(file)
      if (content.length < leastBytes) return
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(content))
      writeFileSync(`${file}.gz`, await promisify(gzip)(content))
    }),
  )
}
