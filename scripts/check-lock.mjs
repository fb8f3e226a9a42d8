import { readFileSync } from 'node:fs'
import { inRoot } from './root.mjs'

/** Finds registry-specific addresses, packages without a checksum, and platform packages that npm silently dropped. */
export const checkLock = () => {
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'))
  const faults = []
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').pop()))
  for (const [path, { resolved, link, inBundle, integrity, optionalDependencies = {} }] of Object.entries(packages)) {
    if (resolved && !link) faults.push(`${path} names the registry's address ${resolved}`)
    if (path.includes('node_modules/') && !link && !inBundle && !integrity) faults.push(`${path} has no integrity`)
    for (const name of Object.keys(optionalDependencies))
      if (!names.has(name)) faults.push(`${path} may need ${name}, which the lock file does not have`)
  }
  return faults
}
