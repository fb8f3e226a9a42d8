import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeDurably } from './back-up-database.ts'
import { digestOf, type FileEntry, type Manifest, paths } from './manifest.ts'

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Names relative to the folder, with '/'. Hidden ones are temporary. Empty if the folder does not exist. */
export const namesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !name.split('/').some((part) => part.startsWith('.')))
    .sort()
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    (error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    },
  )

/** Renamed once whole. False if the source was erased meanwhile. */
export const copyFile = async (from: string, to: string): Promise<boolean> => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await pipeline(createReadStream(from), createWriteStream(`${to}.draft`, { mode: 0o600, flush: true }))
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
  await rename(`${to}.draft`, to)
  return true
}

/**
 * After the snapshot of the database: a file is stored before the event that names it. What an earlier attempt copied stays: a name is
 * given once, except for a profile photo, whose size tells.
 */
export const backUpFiles = async (
  source: string,
  folder: string,
): Promise<Extract<Manifest['files'], { kind: 'folder' }>> => {
  const at = paths(folder)
  await mkdir(at.files, { recursive: true, mode: 0o700 })
  const list: FileEntry[] = []
  for (const name of await namesIn(source)) {
    const [from, to] = [join(source, name), join(at.files, name)]
    const isCopied = (await sizeOf(to)) !== undefined && (await sizeOf(to)) === (await sizeOf(from))
    if (isCopied || (await copyFile(from, to))) list.push({ name, ...(await digestOf(to)) })
  }
  await writeDurably(at.fileList, list.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  const total = list.reduce((sum, { bytes }) => sum + bytes, 0)
  return { kind: 'folder', count: list.length, total, list: await digestOf(at.fileList) }
}
