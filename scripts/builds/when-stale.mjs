import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inRoot } from '../root.mjs'

/** `sources` are files and folders, tests excluded. The stamp is removed first, so a partial output has none. */
export const whenStale = async (output, sources, work) => {
  const stampFile = inRoot(`${output}.stamp`)
  const stamp = contentOf(sources)
  if (existsSync(inRoot(output)) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  rmSync(stampFile, { force: true })
  await work()
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, stamp)
}

const contentOf = (sources) => {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesUnder).sort()) hash.update(`${file}\0`).update(readFileSync(inRoot(file)))
  return hash.digest('hex')
}

const isTest = (name) => /\.(test|contract)\.tsx?$/.test(name)

const filesUnder = (path) => {
  const stats = statSync(inRoot(path), { throwIfNoEntry: false })
  if (!stats) return []
  if (!stats.isDirectory()) return isTest(path) ? [] : [path]
  return readdirSync(inRoot(path)).flatMap((name) => filesUnder(join(path, name)))
}
