import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BackupError } from './backup-error.ts'

const stored = { bytes: z.number().int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }

const manifest = z.object({
  format: z.literal(1),
  id: z.uuid(),
  /** When the snapshot of the database was taken. */
  takenAt: z.iso.datetime(),
  postgres: z.string(),
  /** Ids of the master secrets that wrap its keys: they reveal nothing. */
  masters: z.array(z.string()),
  /** `position`: end of the log in the snapshot, or of the EventStoreDB beside it. */
  log: z.object({
    kind: z.enum(['postgres', 'eventstoredb']),
    position: z.string().nullable(),
    events: z.number().nullable(),
  }),
  schema: z.object(stored),
  tables: z.array(
    z.object({
      table: z.string(),
      columns: z.string(),
      file: z.string().regex(/^\d{4}\.copy\.gz$/),
      rows: z.number(),
      ...stored,
    }),
  ),
  files: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('folder'), count: z.number(), total: z.number(), list: z.object(stored) }),
    /** The bucket has a backup of its own. */
    z.object({ kind: z.literal('s3') }),
  ]),
})
export type Manifest = z.infer<typeof manifest>

const fileEntry = z.object({ name: z.string(), ...stored })
export type FileEntry = z.infer<typeof fileEntry>

export const paths = (folder: string) => ({
  manifest: join(folder, 'manifest.json'),
  schema: join(folder, 'database', 'schema.json'),
  table: (file: string) => join(folder, 'database', file),
  fileList: join(folder, 'files.jsonl'),
  files: join(folder, 'files'),
  erasures: join(folder, 'erasures.jsonl'),
})

/** Written last: a backup without it is partial. */
export const writeManifest = async (folder: string, content: Manifest): Promise<void> => {
  const path = paths(folder).manifest
  const draft = await open(`${path}.draft`, 'w', 0o600)
  try {
    await draft.writeFile(`${JSON.stringify(manifest.parse(content), null, 2)}\n`)
    await draft.sync()
  } finally {
    await draft.close()
  }
  await rename(`${path}.draft`, path)
}

/** Throws `BackupError` for a partial folder, or one with other files. */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const text = await readFile(paths(folder).manifest, 'utf8').catch((cause: unknown) => {
    throw new BackupError(
      `${folder} is no complete backup: manifest.json, which is written last, is missing. Finish it with npm run backup -- ${folder}`,
      { cause },
    )
  })
  const parsed = manifest.safeParse(JSON.parse(text))
  if (!parsed.success) throw new BackupError(`${folder}/manifest.json is of another format: ${parsed.error.message}`)
  return parsed.data
}

export const digestOf = async (path: string): Promise<{ bytes: number; sha256: string }> => {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

export const readFileList = async (folder: string): Promise<FileEntry[]> =>
  (await readFile(paths(folder).fileList, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((text) => fileEntry.parse(JSON.parse(text)))

/** Reads the whole backup once. Throws `BackupError` with what is damaged, before a restore touches anything. */
export const verifyBackup = async (folder: string): Promise<Manifest> => {
  const found = await readManifest(folder)
  const at = paths(folder)
  const expected = [
    { path: at.schema, ...found.schema },
    ...found.tables.map(({ file, bytes, sha256 }) => ({ path: at.table(file), bytes, sha256 })),
  ]
  if (found.files.kind === 'folder') {
    await verify([{ path: at.fileList, ...found.files.list }])
    const list = await readFileList(folder)
    expected.push(...list.map(({ name, bytes, sha256 }) => ({ path: join(at.files, name), bytes, sha256 })))
  }
  await verify(expected)
  return found
}

const verify = async (expected: readonly { path: string; bytes: number; sha256: string }[]): Promise<void> => {
  for (const { path, bytes, sha256 } of expected) {
    const found = await digestOf(path).catch((cause: unknown) => {
      throw new BackupError(`The backup is damaged: ${path} cannot be read. Nothing was restored.`, { cause })
    })
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw new BackupError(`The backup is damaged: ${path} is not what was written. Nothing was restored.`)
  }
}
