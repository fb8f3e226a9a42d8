import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { freePort } from '@prosa/kernel/free-port'
import { openChromium } from '../browser/chromium.ts'
import { bytesWithoutPictures, loadPage, type PageLoad } from '../browser/page-load.ts'
import { median } from './measure.ts'

/**
 * First visit in Chromium with empty cache, wide and 390 px, at full and quarter CPU speed; medians. Fails on scripts, layout shift or 60
 * kB without pictures.
 */
const rounds = 7
const slowdowns = [1, 4]
const root = join(import.meta.dirname, '../..')

const startProduct = async (dataDir: string) => {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/builds/build-production.mjs')], { cwd: root })
  const port = String(await freePort())
  const env = { ...process.env, PROSA_SECRET: 'ab'.repeat(32), PROSA_PORT: port, PROSA_DATA_DIR: dataDir }
  const child = spawn(process.execPath, [join(root, 'deploy/dist/all-in-one.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"ready"')) break
  child.stdout.resume()
  return { child, url: `http://127.0.0.1:${port}/` }
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-landing-'))
const { child, url } = await startProduct(dataDir)
const browser = await openChromium()
const loads = new Map<string, PageLoad[]>()
try {
  for (let round = 0; round <= rounds; round++)
    for (const phone of [false, true])
      for (const slowdown of slowdowns) {
        const { context, close } = await browser.another({ phone })
        const page = await context.newPage()
        const devtools = await context.newCDPSession(page)
        await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
        const loaded = await loadPage(page, url)
        await close()
        // The first round warms the server's caches and Chromium's code cache.
        if (round === 0) continue
        const name = `${phone ? '390 px' : '1280 px'}, processor 1/${slowdown}`
        loads.set(name, [...(loads.get(name) ?? []), loaded])
      }
} finally {
  await browser.close()
  child.kill('SIGTERM')
  await once(child, 'exit')
  await rm(dataDir, { recursive: true, force: true })
}

const ms = (of: PageLoad[], read: (load: PageLoad) => number) => Math.round(median(of.map(read)))
console.table(
  Object.fromEntries(
    Array.from(loads, ([name, of]) => {
      const [first] = of
      return [
        name,
        {
          'first paint, ms': ms(of, ({ firstPaintMs }) => firstPaintMs),
          'first content, ms': ms(of, ({ firstContentfulPaintMs }) => firstContentfulPaintMs),
          'largest content, ms': ms(of, ({ largestContentfulPaintMs }) => largestContentfulPaintMs),
          'layout shift': Math.max(...of.map(({ layoutShift }) => layoutShift)),
          ...first?.bytes,
        },
      ]
    }),
  ),
)

const all = Array.from(loads.values()).flat()
const poor = all.filter((load) => load.bytes.script > 0 || load.layoutShift > 0 || bytesWithoutPictures(load) >= 60_000)
if (poor.length > 0) {
  console.error(`${poor.length} of ${all.length} loads had a script, a shift or too many bytes.`)
  process.exitCode = 1
}
