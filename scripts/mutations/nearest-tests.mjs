import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Run-time imports and programs that a test starts. */
const imports =
  /(?:^|\n)\s*(?:import|export)(?! type )[^'";]*?from '([^']+)'|\bimport\('([^']+)'\)|new URL\('([^']+\.ts)'/g

/** Slow or browser tests: a shorter test detects the same. */
const leftOut = /^(deploy|web)\/|sigkill|under-load|faults\.test|killed-server|many-numbers/

const packageFolders = (root) => {
  const folders = new Map()
  for (const folder of ['contracts', 'projections', 'deploy', ...services(root)])
    folders.set(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name, folder)
  return folders
}

const services = (root) =>
  readdirSync(join(root, 'services'))
    .map((name) => `services/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'package.json')))

const resolveImport = (folders, from, name) => {
  if (name.startsWith('.')) return posix.join(posix.dirname(from), name)
  const [, scoped, rest] = /^(@prosa\/[\w-]+)\/(.+)$/.exec(name) ?? []
  const folder = folders.get(scoped)
  return folder && `${folder}/src/${rest}.ts`
}

const importersOf = (root, paths) => {
  const folders = packageFolders(root)
  const importers = new Map()
  for (const path of paths) {
    for (const [, one, two, three] of readFileSync(join(root, path), 'utf8').matchAll(imports)) {
      const imported = resolveImport(folders, path, one ?? two ?? three)
      if (imported) importers.set(imported, [...(importers.get(imported) ?? []), path])
    }
  }
  return importers
}

/** Fewest imports away first. */
export const nearestTests = (root, paths) => {
  const importers = importersOf(root, paths)
  return (path, beyond = []) => {
    const distances = new Map([[path, 0]])
    for (const [file, distance] of distances)
      for (const importer of importers.get(file) ?? [])
        if (!distances.has(importer)) distances.set(importer, distance + 1)
    const found = [...distances].flatMap(([file, distance]) => {
      if (!file.endsWith('.test.ts') || (leftOut.test(file) && !beyond.includes(file))) return []
      const isOwn = file === path.replace(/\.ts$/, '.test.ts')
      const isBeside = posix.dirname(file) === posix.dirname(path)
      return { file, distance: isOwn ? 0 : isBeside ? 1 : beyond.includes(file) ? 99 : distance + 1 }
    })
    return found.sort((a, b) => a.distance - b.distance || a.file.localeCompare(b.file))
  }
}
