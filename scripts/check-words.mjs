import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path/posix'
import { parseSync, Visitor } from 'oxc-parser'
import { inRoot } from './root.mjs'

/** Banned words (docs/glossary.md has ours). `is` matches a name in lower case with a blank between its words. */
export const banned = [
  { word: 'at most', is: /^(most|longest|biggest) ./, say: 'max…' },
  { word: 'bell', is: /\bbells?\b/, say: 'wake-up signal, push' },
  { word: 'broom', is: /\bbrooms?\b/, say: 'cleanup' },
  { word: 'care', is: /\bcares?\b/, say: 'handle, concern' },
  { word: 'caught this', is: /\b(caught this|(comes?|came) to rest)\b/, say: 'unhandled error, gave up' },
  { word: 'circle', is: /\bcircles?\b/, say: 'cycle' },
  { word: 'door', is: /\bdoors?\b/, say: 'entry, endpoint' },
  { word: 'errand', is: /\berrands?\b/, say: 'job' },
  { word: 'hear', is: /\b(hears?|heard)\b/, say: 'receive' },
  { word: 'held', is: /\bheld\b/, say: 'reserved, blocked, stored, leased' },
  { word: 'house', is: /\bhouse\b/, say: 'installation' },
  { word: 'in mind', is: /\bin mind\b/, say: 'cache' },
  { word: 'kept', is: /\bkept\b/, say: 'stored, cached' },
  { word: 'lead on', is: /\bleads? on\b/, say: 'continue, successor' },
  { word: 'let go', is: /\b(lets?|letting) go\b/, say: 'release, give up' },
  {
    word: 'lock (encrypt)',
    is: /\b(unlock\w*|seal|seals|sealed|sealing|locked|(personal|to) lock)\b/,
    say: 'encrypt, decrypt, encrypted; key',
  },
  { word: 'milliseconds', is: /\bmilliseconds?\b/, say: '…Ms' },
  { word: 'news', is: /\bnews\b/, say: 'update, report' },
  { word: 'owner', is: /\bowner(s|less)?\b/, say: 'tenant; account; holder of a lease' },
  { word: 'persevere', is: /\b(persever\w*|tr(y|ies) often)\b/, say: 'retry' },
  { word: 'place', is: /\bplaces?\b/, say: 'position (of the log), quota, folder, coordinates' },
  { word: 'rehearsal', is: /\brehears\w*\b/, say: 'dry run, preview' },
  { word: 'reign', is: /\breigns?\b/, say: 'epoch' },
  { word: 'remember', is: /\bremember\w*\b/, say: 'cache, store, note' },
  { word: 'resting', is: /\b(resting|rested)\b/, say: 'idle, waiting, cached' },
  { word: 'say', is: /\b(says?|said)\b/, say: 'text, report, send' },
  { word: 'standing', is: /\b(standing|stands)\b/, say: 'exists, active, current' },
  { word: 'suspect', is: /\bsuspect\w*\b/, say: 'mark, possible' },
  { word: 'tell', is: /\b(tells?|told)\b/, say: 'notify, report, push' },
  { word: 'turn', is: /\bturns?\b/, say: 'status, mutex, enabled (turn: of the event loop only)' },
]

/** Other meanings of a banned word. */
const exempt = [
  { word: 'turn', is: /\bin turns?\b/ },
  { word: 'turn', files: /^services\/kernel\/src\/(async\/|http\/limits\/computations)/ },
  { word: 'lock (encrypt)', files: /^web\/src\/features\/flow-editor\/|-lock\.mjs$/ },
  { word: 'place', is: /^place (items|content|self)$/ },
  // What is stored or on a wire (docs/decisions/0081-tenant.md): a field of orders, saved states, what browsers store, columns in queries.
  {
    word: 'owner',
    is: /^owner$/,
    files:
      /^(contracts\/src\/http\/accounts|projections\/src|web\/src\/features\/admin)\/transactions[./]|^deploy\/test\/administrators-reading\./,
  },
  {
    word: 'owner',
    is: /^owner$/,
    files:
      /\/snapshots\/snapshot-encryption\.ts$|\/stored-metadata\.test\.ts$|^web\/src\/features\/live-chat\/(outbox|line)\//,
  },
  { word: 'owner', is: /^owner$/, files: /^projections\/src\/(.+\/queries\.ts|tenant-filters\.test\.ts)$/ },
  // PostgreSQL's word.
  { word: 'owner', files: /^deploy\/postgres\/create-owner\.sql$/ },
]

/** `isPERSONAL2Lock` → 'is personal2 lock'. */
const wordsOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[-_./\s]+/g, ' ')
    .trim()
    .toLowerCase()

const bannedIn = (file, name) => {
  const words = wordsOf(name)
  const isExempt = (word) =>
    exempt.some((one) => one.word === word && (one.files?.test(file) ?? true) && (one.is?.test(words) ?? true))
  return banned.filter(({ word, is }) => is.test(words) && !isExempt(word)).map(({ word }) => word)
}

/** Names that an identifier, a pattern or a parameter binds; `{ a }` of another's property binds no name of its own. */
const boundBy = (node) => {
  if (!node) return []
  if (node.type === 'Identifier') return [node.name]
  if (node.type === 'AssignmentPattern') return boundBy(node.left)
  if (node.type === 'RestElement') return boundBy(node.argument)
  if (node.type === 'TSParameterProperty') return boundBy(node.parameter)
  if (node.type === 'ArrayPattern') return node.elements.flatMap(boundBy)
  if (node.type === 'ObjectPattern')
    return node.properties.flatMap((one) => (one.shorthand ? [] : boundBy(one.value ?? one)))
  return []
}

const keyOf = ({ key, computed }) =>
  computed ? [] : key.type === 'Literal' ? [String(key.value)] : key.name ? [key.name] : []

const textOf = (node) =>
  node?.type === 'TemplateLiteral'
    ? [node.quasis.map(({ value }) => value.cooked).join(' ')]
    : typeof node?.value === 'string'
      ? [node.value]
      : []

const lastName = (node) => node?.name ?? node?.property?.name ?? ''

/** What a source declares (a use of another's name does not count), its properties apart, and texts of log lines and errors. */
export const namesIn = (file, source) => {
  const names = new Set()
  const properties = new Set()
  const texts = new Set()
  const add = (to, found) => {
    for (const each of found) to.add(each)
  }
  const declaration = (node) => {
    add(names, boundBy(node.id))
    add(names, (node.params ?? []).flatMap(boundBy))
  }
  const member = (node) => {
    add(properties, keyOf(node))
    if (node.override && node.key.name === 'name') add(texts, textOf(node.value))
  }
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  new Visitor({
    VariableDeclarator: declaration,
    FunctionDeclaration: declaration,
    FunctionExpression: declaration,
    ArrowFunctionExpression: declaration,
    TSFunctionType: declaration,
    ClassDeclaration: declaration,
    TSTypeAliasDeclaration: declaration,
    TSInterfaceDeclaration: declaration,
    CatchClause: ({ param }) => add(names, boundBy(param)),
    ImportSpecifier: ({ imported, local }) => imported.name !== local.name && names.add(local.name),
    ImportDefaultSpecifier: ({ local }) => names.add(local.name),
    ImportNamespaceSpecifier: ({ local }) => names.add(local.name),
    TSPropertySignature: member,
    TSMethodSignature: member,
    PropertyDefinition: member,
    MethodDefinition: member,
    ObjectExpression: ({ properties: all }) => {
      for (const one of all) if (one.type === 'Property' && !one.shorthand) add(properties, keyOf(one))
    },
    CallExpression({ callee, arguments: given }) {
      const isLog = callee.type === 'MemberExpression' && /^(log|logger|console)$/i.test(lastName(callee.object))
      if (isLog) add(texts, given.slice(0, 2).flatMap(textOf))
    },
    NewExpression: ({ callee, arguments: given }) => lastName(callee).endsWith('Error') && add(texts, textOf(given[0])),
    ThrowStatement: ({ argument }) => argument.type === 'NewExpression' && add(texts, textOf(argument.arguments[0])),
  }).visit(program)
  return { names, properties, texts }
}

/** Names and texts of a file with a banned word: word → them. `free`: stored names, columns, and fields of events and of the API. */
export const findBanned = (file, source, free) => {
  const found = new Map()
  const check = (name) => {
    for (const word of bannedIn(file, name)) found.set(word, (found.get(word) ?? new Set()).add(name))
  }
  const plainName = basename(file).replace(/(\.(test|contract|bench|chapter|d))?\.\w+$/, '')
  if (!free.has(plainName) && !file.includes('/migrations/')) check(plainName)
  if (!/\.(ts|tsx|mjs)$/.test(file)) return found
  const { names, properties, texts } = namesIn(file, source)
  // A name with an underscore is a column's.
  for (const name of properties) if (!free.has(name) && !/^[a-z]+_/.test(name)) check(name)
  for (const name of names) if (!/^[a-z]+_/.test(name)) check(name)
  for (const text of texts) check(text)
  return found
}

/** What differs from the record of words that are still there (word → file → how many), which may only shrink. */
export const compare = (found, allowed) => {
  const faults = []
  for (const { word, say } of banned) {
    const files = new Set([...Object.keys(found[word] ?? {}), ...Object.keys(allowed[word] ?? {})])
    for (const file of [...files].sort()) {
      const names = found[word]?.[file] ?? []
      const may = allowed[word]?.[file] ?? 0
      if (names.length > may)
        faults.push(`${file}: '${word}' in ${names.join(', ')}; say ${say} (${names.length} of them, ${may} allowed)`)
      if (names.length < may)
        faults.push(`${file}: '${word}' is there ${names.length} times: lower it to ${names.length} in ${record}`)
    }
  }
  return faults
}

const record = 'scripts/banned-words.json'
const listFiles = (...paths) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...paths], { cwd: inRoot(), encoding: 'utf8' })
    .trim()
    .split('\n')

const sources = ['contracts', 'projections', 'services', 'web', 'deploy', 'scripts', '*.ts', '*.mjs']
const leftOut =
  /\/golden\/|\/fixtures\/|^contracts\/src\/stored-(names|commands)\.ts$|^scripts\/(check-words\.mjs|banned-words\.json)$|\/check-words\.test\.ts$/
const ofContract =
  /^contracts\/src\/(events|http|flows|published)\/(?:\w+\/)?[^/]+\.ts$|^contracts\/src\/(realtime|refusals|topics)\.ts$/
const ofTable = /^(projections|services)\/.*\/table\.ts$/

const keysOfJson = (value) =>
  Array.isArray(value)
    ? value.flatMap(keysOfJson)
    : value && typeof value === 'object'
      ? Object.entries(value).flatMap(([key, one]) => [key, ...keysOfJson(one)])
      : []

const stringsOf = (source) => [...source.matchAll(/'([^'\n]+)'/g)].map(([, text]) => text)

const freeNames = (files, read) => {
  const golden = 'contracts/src/events/golden'
  return new Set([
    ...stringsOf(read('contracts/src/stored-names.ts')),
    ...stringsOf(read('contracts/src/stored-commands.ts')),
    ...stringsOf(read('contracts/src/stored-id-words.ts')),
    ...readdirSync(inRoot(golden)).flatMap((name) => [
      name.split('.')[0],
      ...keysOfJson(JSON.parse(read(`${golden}/${name}`))),
    ]),
    ...files
      .filter((file) => ofContract.test(file) || ofTable.test(file))
      .flatMap((file) => [...namesIn(file, read(file)).properties]),
  ])
}

/** All sources: word → file → names and texts. */
export const findWords = () => {
  const read = (file) => readFileSync(inRoot(file), 'utf8')
  const files = [...new Set(listFiles(...sources))].filter((file) => !leftOut.test(file))
  const free = freeNames(files, read)
  free.delete('owner')
  const found = {}
  for (const file of files) {
    const source = /\.(ts|tsx|mjs)$/.test(file) ? read(file) : ''
    for (const [word, names] of findBanned(file, source, free)) {
      found[word] ??= {}
      found[word][file] = [...names].sort()
    }
  }
  return found
}

const readRecord = () => JSON.parse(readFileSync(inRoot(record), 'utf8'))

/** Writes what is there into the record, and prints how each word's sum has changed. */
const write = () => {
  const sum = (files = {}) => Object.values(files).reduce((a, b) => a + b, 0)
  const before = readRecord()
  const found = findWords()
  const counted = {}
  for (const { word } of banned) {
    const files = Object.entries(found[word] ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
    if (files.length > 0) counted[word] = Object.fromEntries(files.map(([file, names]) => [file, names.length]))
    const [was, is] = [sum(before[word]), sum(counted[word])]
    if (was !== is) console.log(`${word}: ${was} → ${is}`)
  }
  writeFileSync(inRoot(record), `${JSON.stringify(counted, undefined, 2)}\n`)
}

export const checkWords = () => compare(findWords(), readRecord())

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--write')) write()
  else {
    const faults = checkWords()
    for (const fault of faults) console.log(fault)
    process.exitCode = faults.length > 0 ? 1 : 0
  }
}
