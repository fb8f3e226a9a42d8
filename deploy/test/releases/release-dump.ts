import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'

const releaseDump = z.object({
  commit: z.string(),
  /** In hexadecimal; only for this dump. */
  secret: z.string(),
  takenAt: z.iso.datetime(),
  people: z.record(z.string(), z.object({ email: z.string(), password: z.string() })),
  /** Ids that no GET shows, by the path before them. */
  known: z.record(z.string(), z.array(z.string())),
  dump: z.object({
    before: z.array(z.string()),
    rows: z.array(z.object({ table: z.string(), records: z.array(z.string()) })),
    after: z.array(z.string()),
  }),
  /** In base64, by path. */
  files: z.record(z.string(), z.string()),
  /** By person and path. */
  answers: z.record(z.string(), z.record(z.string(), z.object({ status: z.number(), body: z.unknown() }))),
})
export type ReleaseDump = z.infer<typeof releaseDump>

const folder = join(import.meta.dirname, '../fixtures/releases')

/** Oldest release first. */
export const releaseNames = async (): Promise<string[]> =>
  (await readdir(folder))
    .filter((name) => name.endsWith('.json.gz'))
    .map((name) => name.slice(0, -'.json.gz'.length))
    .sort()

export const readRelease = async (name: string): Promise<ReleaseDump> =>
  releaseDump.parse(JSON.parse(String(await promisify(gunzip)(await readFile(join(folder, `${name}.json.gz`))))))

export const writeRelease = async (name: string, dump: ReleaseDump): Promise<string> => {
  const path = join(folder, `${name}.json.gz`)
  await mkdir(folder, { recursive: true })
  await writeFile(path, await promisify(gzip)(JSON.stringify(releaseDump.parse(dump)), { level: 9 }))
  return path
}

export const packFiles = async (root: string): Promise<Record<string, string>> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(
      paths.map(async (path) => [relative(root, path), (await readFile(path)).toString('base64')] as const),
    ),
  )
}

export const unpackFiles = async (files: Record<string, string>, root: string): Promise<void> => {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), Buffer.from(bytes, 'base64'))
  }
}
