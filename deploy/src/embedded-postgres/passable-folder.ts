import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** For root's data that PostgreSQL's account could not reach elsewhere. */
export const sharedFolder = '/var/lib/prosa'

/**
 * Creates a folder and its parents so that others may enter, whatever root's umask. Without root the umask applies, as PostgreSQL has the
 * same account. Existing folders of others stay unchanged.
 */
export const makePassable = async (path: string, mode: 0o711 | 0o755): Promise<void> => {
  const made = await mkdir(path, { recursive: true, mode })
  if (process.getuid?.() !== 0) return
  // An earlier start may have created our folder and left it closed.
  const first = made ?? (path === sharedFolder ? path : undefined)
  if (first === undefined) return
  for (let folder = resolve(path); folder.length >= resolve(first).length; folder = dirname(folder))
    await chmod(folder, mode)
}

/** `chmod -R a+rX`; ignores links. */
export const letEverybodyRead = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await letEverybodyRead(path)
    if (!entry.isFile()) continue
    const { mode } = await stat(path)
    await chmod(path, mode | 0o444 | (mode & 0o100 ? 0o111 : 0))
  }
}
