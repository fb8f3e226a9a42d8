import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { pathToFileURL } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { inRoot } from './root.mjs'

const folders = ['contracts/src', 'services', 'projections/src', 'web/src', 'web/public', 'deploy/src']
const leftOut =
  /\/(node_modules|dist|testing|bench|contract|test)\/|^services\/sandbox\/|\.(test|contract|config)\.tsx?$|\.d\.ts$/

/** Unchecked expressions. `checkedAs` stands in for an expression that is composed at run time. */
export const exempt = [
  {
    file: 'services/kernel/src/consumers/projections/rebuild/serve-old-rows.ts',
    start: '/',
    reason: 'the declaration of a column is ours',
  },
  {
    file: 'services/kernel/src/http/authentication/cookie-authenticator.ts',
    start: 'new RegExp(`(?:^|;)',
    reason: 'the name of the cookie is ours',
    checkedAs: /(?:^|;)[ \t]*name[ \t]*=([^;]*)/,
  },
  {
    file: 'services/kernel/src/observability/scrub.ts',
    start: '/',
    reason: 'reads 2,000 characters of what is logged',
  },
  {
    file: 'services/kernel/src/observability/scrub.ts',
    start: 'new RegExp(`(',
    reason: 'as these, of which it is put together',
  },
  {
    file: 'contracts/src/http/history.ts',
    start: 'new RegExp(`^(${historyRecordKinds',
    reason: 'the kinds are words of ours',
    checkedAs: /^(a|bc|bcd|user|flow):[\x21-\x7e]{1,200}$/,
  },
  {
    file: 'contracts/src/values/text/without-marks.ts',
    start: '.normalize(form)',
    reason: 'no marks are left in what is normalized',
  },
  {
    file: 'services/billing/src/plans/plan.ts',
    start: ".normalize('NFKC')",
    reason: 'the id of a plan has 100 characters',
  },
  {
    file: 'projections/src/transactions/receipt.ts',
    start: ".normalize('NF",
    reason: 'what Kiwify reports is cut to 300 characters',
  },
  {
    file: 'contracts/src/http/messages.ts',
    start: '.segment(text)',
    reason: 'longer than 64 characters is refused first',
  },
  {
    file: 'web/src/components/file-name.tsx',
    start: '.segment(name',
    reason: 'a name has 1,000 characters',
  },
  {
    file: 'web/src/features/live-chat/conversation/bubble/reaction-menu.tsx',
    start: '.segment(text)',
    reason: 'what the user typed into a field for one emoji',
  },
  {
    file: 'web/src/lib/format/format.ts',
    start: '.segment(words',
    reason: 'takes the first segment of a name',
  },
]

/** Time or memory grows with the square of some texts. */
const costly = new Set(['normalize', 'segment'])

export const patternsIn = (file, source) => {
  const found = []
  const add = (node, pattern, at = node.start) => {
    const line = source.slice(0, node.start).split('\n').length
    found.push({ file, line, text: source.slice(at, node.end), pattern })
  }
  const addCall = (node) => {
    const { callee, arguments: given } = node
    if (callee.type === 'Identifier' && callee.name === 'RegExp') {
      const [first, second] = given
      const isLiteral = first?.type === 'Literal' && typeof first.value === 'string'
      add(node, isLiteral ? { source: first.value, flags: second?.value ?? '' } : undefined)
    } else if (callee.type === 'MemberExpression' && costly.has(callee.property.name) && given.length === 1)
      add(node, undefined, callee.property.start - 1)
  }
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  new Visitor({
    Literal: (node) => node.regex && add(node, { source: node.regex.pattern, flags: node.regex.flags }),
    NewExpression: addCall,
    CallExpression: addCall,
  }).visit(program)
  return found
}

const sourcesOf = (folder) =>
  readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (leftOut.test(entry.isDirectory() ? `${path}/` : path)) return []
    if (entry.isDirectory()) return sourcesOf(path)
    return /\.(tsx?|m?js)$/.test(entry.name) ? [path] : []
  })

/** Not zod's expressions of moments: safe in 4.6.7, and checking them takes as long as all others together. */
const patternsOfZod = async () => {
  const { regexes } = await import(pathToFileURL(inRoot('node_modules/zod/index.js')).href)
  const all = [regexes.email, regexes.uuid(), regexes.guid, regexes.base64, regexes.date]
  return all.map(({ source, flags }) => ({
    file: 'zod',
    line: 0,
    text: `/${source}/${flags}`,
    pattern: { source, flags },
  }))
}

const bare = (source) => source.replace(/\\./gs, '.').replace(/\[[^\]]*\]/g, '.')

const endless = /[*+]|\{\d+,\}/g

const isAnchored = (plain, flags) => {
  let depth = 0
  for (const sign of plain) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    if (sign === '|' && depth === 0) return false
  }
  return plain.startsWith('^') && !flags.includes('m')
}

/**
 * True for at most some thousand paths from each position (no endless repetition, no repeated group), or one start and one endlessly
 * repeated character.
 */
export const isPlainlyLinear = ({ source, flags }) => {
  const plain = bare(source).replaceAll('(?', '(')
  const repeated = plain.match(endless) ?? []
  if (/\)(\{|[*+])/.test(plain) || repeated.length > (isAnchored(plain, flags) ? 1 : 0)) return false
  let ways = 2 ** (plain.match(/[|?]/g) ?? []).length
  for (const [, low, high] of plain.matchAll(/\{(\d+)(?:,(\d+))?\}/g)) ways *= Number(high ?? low) - Number(low) + 1
  return ways <= 4096
}

/** Accepts every path of the original, so the original is linear if this is; checked far faster. */
const withoutCounts = (source) =>
  source.replace(/(?<!\\)\{(\d+),(\d+)\}/g, (all, low, high) => (Number(high) < 10 ? all : low === '0' ? '*' : '+'))

/** recheck's pure JavaScript backend: deterministic, no Java or native program. */
const loadChecker = async () => {
  process.env.RECHECK_SYNC_BACKEND = 'pure'
  const { checkSync } = await import('recheck')
  const check = (source, flags) => checkSync(source, flags.replace(/[dv]/g, ''), { timeout: null, randomSeed: 1 })
  return (pattern) => {
    if (isPlainlyLinear(pattern)) return undefined
    const { source, flags } = pattern
    const relaxed = withoutCounts(source)
    if (relaxed !== source && check(relaxed, flags).status === 'safe') return undefined
    const { status, complexity, attack, error } = check(source, flags)
    if (status === 'safe') return undefined
    return status === 'vulnerable'
      ? `${complexity.summary}, as for ${attack.pattern}`
      : `not to be checked: ${error.kind}`
  }
}

const isExempt = ({ file, start }, pattern) => file === pattern.file && pattern.text.startsWith(start)

export const faultsOf = async (patterns, exemptions) => {
  const check = await loadChecker()
  const known = new Map()
  const complaint = (pattern) => {
    const key = `/${pattern.source}/${pattern.flags}`
    if (!known.has(key)) known.set(key, check(pattern))
    return known.get(key)
  }
  const faults = patterns.flatMap((each) => {
    const exemption = exemptions.find((one) => isExempt(one, each))
    const pattern = exemption ? exemption.checkedAs : each.pattern
    const fault = pattern ? complaint(pattern) : exemption ? undefined : 'cannot be checked as it stands'
    return fault ? [`${each.file}:${each.line} ${each.text}: ${fault}`] : []
  })
  const stale = exemptions.filter((one) => !patterns.some((each) => isExempt(one, each)))
  return [...faults, ...stale.map(({ file, start }) => `${file} has no ${start} any more, which is exempt`)]
}

export const checkPatterns = async () => {
  const ours = folders.flatMap(sourcesOf).flatMap((file) => patternsIn(file, readFileSync(inRoot(file), 'utf8')))
  return faultsOf([...ours, ...(await patternsOfZod())], exempt)
}

if (process.argv[1] === import.meta.filename) {
  const faults = await checkPatterns()
  for (const fault of faults) console.log(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}
