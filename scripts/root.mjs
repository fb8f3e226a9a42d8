import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder, whatever folder a script is called from. */
export const root = fileURLToPath(new URL('..', import.meta.url))

export const inRoot = (...path) => join(root, ...path)
