import { createReadStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createLog } from '@prosa/kernel/observability/log'
import { type ExportFault, verifyExport } from '@prosa/kernel/operations/hash-chain/exported-lines'
import { openPool } from '@prosa/kernel/postgres/pool'
import { openInstallationKeys } from '@prosa/kernel/privacy/installation-keys'
import { masterKeys } from '@prosa/kernel/privacy/master-keys'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { ConfigError } from '@prosa/kernel/process/config-error'
import { orExplain } from '@prosa/kernel/process/explain'
import { BackupError } from './backup/backup-error.ts'
import { reachDatabase } from './backup/reach-database.ts'
import { backupConfig } from './backup/settings.ts'
import { EmbeddedPostgresError } from './embedded-postgres/embedded-postgres-error.ts'
import { masterSecret } from './master-secret.ts'

const usage =
  'npm run verify-export -- <file> [--chain-only]: is an export of the history whole, and as this installation made it? ' +
  '--chain-only: without this installation, and so without its signature.'

type Sign = (text: string) => string

const withSignature = async <T>(work: (sign: Sign) => Promise<T>): Promise<T> => {
  const config = backupConfig()
  const database = await reachDatabase(config, createLog(config.logLevel))
  const pool = openPool(database.url)
  try {
    const secret = await masterSecret(config.secret, config.dataDir)
    const masters = masterKeys(
      secret,
      config.oldSecrets.map((old) => Buffer.from(old, 'hex')),
    )
    const box = secretBox(await openInstallationKeys(pool, secret, masters))
    return await work((text) => box.fingerprint(text, 'history export'))
  } finally {
    await pool.end()
    await database.stop()
  }
}

const sentenceOf = (fault: ExportFault): string => {
  switch (fault.kind) {
    case 'changed':
      return `line ${fault.line} was changed, or a line before it was taken out or put in`
    case 'unproved':
      return 'the last line is no proof: the file was cut off'
    case 'after the proof':
      return 'there is something behind the proof'
    case 'unsigned':
      return 'this installation did not sign the proof'
    case 'count':
      return `${fault.found} events are in the file, and ${fault.stated} were`
    case 'chain':
      return 'the chain ends elsewhere than the proof states'
  }
}

/** Exit code 1: the file is not what was exported. */
await orExplain(async () => {
  const { values, positionals } = parseArgs({ options: { 'chain-only': { type: 'boolean' } }, allowPositionals: true })
  const [file] = positionals
  if (file === undefined || positionals.length > 1) throw new ConfigError(usage)
  const path = resolve(process.env.INIT_CWD ?? '.', file)
  if (!existsSync(path)) throw new ConfigError(`There is no file ${path}.`)
  const read = (sign?: Sign) => verifyExport(createReadStream(path), sign)
  const { proof, count, faults } = values['chain-only'] ? await read() : await withSignature(read)
  for (const fault of faults) process.stdout.write(`${sentenceOf(fault)}\n`)
  const about = proof
    ? `${count} events, from position ${proof.from ?? '—'}, of a log that was read up to ${proof.to} at ${proof.madeAt}; filters ${JSON.stringify(proof.filters)}`
    : `${count} events`
  const verdict = faults.length === 0 ? 'The export is whole' : 'THE EXPORT IS NOT AS IT WAS MADE'
  process.stdout.write(`${verdict}: ${about}.\n`)
  if (faults.length > 0) process.exitCode = 1
}, [BackupError, EmbeddedPostgresError])
