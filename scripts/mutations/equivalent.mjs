/** `code` is the whole line: an entry holds in any file, and expires when the line changes. */
const equivalents = [
  {
    code: "await db.query('select pg_advisory_xact_lock($1)', [installationKeyLock])",
    found: 'await ',
    change: 'void ',
    reason: 'the statements of one connection are carried out in order, and what fails this one fails the next',
  },
  {
    code: 'const lastReceivedAt = sentAt > state.lastReceivedAt ? sentAt : state.lastReceivedAt',
    found: '>',
    change: '>=',
    reason: 'of two equal moments either is the later one',
  },
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of source.
    code: 'if (keys.length > 0) await db.query(`delete from ${table.name} where ${columnName(table.key)} = any($1)`, [keys])',
    found: '>',
    change: '>=',
    reason: 'a deletion of no rows deletes none',
  },
  {
    code: 'if (recentlyEncrypted.cacheGeneration !== cacheGeneration) recentlyEncrypted = { cacheGeneration, texts: noTexts() }',
    found: '!==',
    change: '===',
    reason: 'the cache saves work only: whether a key was erased is asked before, every time',
  },
  {
    code: 'if (position === saved) return',
    found: 'if (',
    change: 'if (false && ',
    reason: 'the same checkpoint is stored once more',
  },
  {
    code: 'if (missing.length === 0) return keys',
    found: 'if (',
    change: 'if (false && ',
    reason: 'a question about no keys finds none',
  },
  {
    code: 'const found = having.length > 0 ? await mergedContacts(pool, tenant, having) : []',
    found: '>',
    change: '>=',
    reason: 'a question about no contacts finds none',
  },
  {
    code: 'exists (select from unnest($2::text[]) p (prefix) where k.subject >= p.prefix collate "C"',
    found: '>=',
    change: '>',
    reason: 'no subject is named like a prefix alone, which ends before the colon that a name goes on after',
  },
  {
    code: 'return entry && (isListening() || entry.until > now()) ? entry.value : undefined',
    found: '>',
    change: '>=',
    reason: 'a key is cached for one millisecond more',
  },
  {
    code: 'if (isAnnounced) return',
    found: 'if (',
    change: 'if (false && ',
    reason: 'the same command once more records nothing',
  },
]

const statement =
  /^await (db\.query|forgetParked|saveCheckpoint|removeCheckpoint|dropTable|copyRows|createTable|createBareTable)\((?!.*\bpool\b)/

export const equivalence = ({ code, found, change }) =>
  (change === 'void ' && statement.test(code)
    ? 'the statements of one connection are carried out in order, and what fails this one fails the next'
    : undefined) ??
  equivalents.find((each) => each.code === code && each.found === found && each.change === change)?.reason
