import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { parseSync, Visitor } from 'oxc-parser'
import { inRoot } from './root.mjs'
import { workspaces } from './workspaces.mjs'

/** What is over these is in the record, which may only shrink. */
export const limits = { filesOfFolder: 25, linesOfFile: 400, linesOfFunction: 80, linesWorthAFile: 40 }

const record = 'scripts/grain.json'
const isTest = (file) =>
  /\.(test|bench|contract|chapter)\.tsx?$|\/(test|testing|bench|browser|contract|double|simulation)\/|^scripts\/mutations\//.test(
    file,
  )

const listSources = () =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs', '*.js'], {
    cwd: inRoot(),
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter((file) => existsSync(inRoot(file)) && !/\.d\.ts$/.test(file))

const linesOf = (source) => source.trimEnd().split('\n').length

const parse = (file, source) => {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  return program
}

/** Functions of more than the limit's physical lines: their first lines. */
export const longFunctionsIn = (file, source) => {
  const found = []
  const lineAt = (offset) => source.slice(0, offset).split('\n').length
  const check = ({ start, end }) => {
    const lines = source.slice(start, end).split('\n').length
    if (lines > limits.linesOfFunction) found.push({ line: lineAt(start), lines })
  }
  new Visitor({
    FunctionDeclaration: check,
    FunctionExpression: check,
    ArrowFunctionExpression: check,
  }).visit(parse(file, source))
  return found
}

/** What a source imports, types and dynamic imports too. */
export const importsIn = (file, source) => {
  const found = new Set()
  const add = (node) => typeof node.source?.value === 'string' && found.add(node.source.value)
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
  }).visit(parse(file, source))
  return [...found]
}

const folderOf = Object.fromEntries(workspaces().map((folder) => [folder.split('/').at(-1), folder]))

const resolve = (file, from, all) => {
  const [, workspace, rest] = /^@prosa\/([^/]+)\/(.+)$/.exec(from) ?? []
  const path = workspace ? `${folderOf[workspace]}/src/${rest}` : from.startsWith('.') ? join(dirname(file), from) : ''
  return ['', '.ts', '.tsx'].map((ending) => path + ending).find((each) => all.has(each))
}

/** Sources of few lines that one other source imports, tests aside. `--small` lists them. */
export const smallFilesIn = (sources, read) => {
  const all = new Set(sources)
  const importers = new Map()
  for (const file of sources.filter((one) => !isTest(one)))
    for (const from of importsIn(file, read(file))) {
      const target = resolve(file, from, all)
      if (target) importers.set(target, (importers.get(target) ?? new Set()).add(file))
    }
  return sources
    .filter((file) => !isTest(file) && linesOf(read(file)) < limits.linesWorthAFile && importers.get(file)?.size === 1)
    .map((file) => ({ file, importer: [...importers.get(file)][0] }))
}

const countBy = (values) => {
  const counts = {}
  for (const value of values.toSorted()) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

const over = (counts, limit) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > limit))

const workspaceOf = (file) => workspaces().find((one) => file.startsWith(`${one}/`)) ?? 'scripts'

/** What is over the limits, by folder, file and workspace. */
export const measure = (sources, read) => {
  const own = sources.filter((file) => !isTest(file))
  const lines = own.map((file) => [file, linesOf(read(file))])
  return {
    folders: over(countBy(own.map((file) => dirname(file))), limits.filesOfFolder),
    files: over(Object.fromEntries(lines), limits.linesOfFile),
    functions: countBy(own.flatMap((file) => longFunctionsIn(file, read(file)).map(() => file))),
    smallFiles: countBy(smallFilesIn(sources, read).map(({ file }) => workspaceOf(file))),
  }
}

const advice = {
  folders: `sources in one folder (${limits.filesOfFolder} is the limit): group them along seams`,
  files: `lines (${limits.linesOfFile} is the limit): split it along a seam`,
  functions: `functions of more than ${limits.linesOfFunction} lines: split them`,
  smallFiles: `files under ${limits.linesWorthAFile} lines that one file imports: put what is read together into one file`,
}

/** What differs from the record. */
export const compare = (found, allowed) =>
  Object.keys(advice).flatMap((kind) =>
    [...new Set([...Object.keys(found[kind]), ...Object.keys(allowed[kind])])].sort().flatMap((name) => {
      const [is, may] = [found[kind][name] ?? 0, allowed[kind][name] ?? 0]
      if (is > may) return [`${name}: ${is} ${advice[kind]}; ${may} are in ${record}`]
      return is < may ? [`${name}: ${kind} fell from ${may} to ${is}: node scripts/check-grain.mjs --write`] : []
    }),
  )

const readSource = (file) => readFileSync(inRoot(file), 'utf8')

if (process.argv[1] === import.meta.filename) {
  const sources = listSources()
  const found = measure(sources, readSource)
  if (process.argv.includes('--write')) writeFileSync(inRoot(record), `${JSON.stringify(found, undefined, 2)}\n`)
  else if (process.argv.includes('--small'))
    for (const { file, importer } of smallFilesIn(sources, readSource)) console.log(`${file} ← ${importer}`)
  else {
    const faults = compare(found, JSON.parse(readSource(record)))
    for (const fault of faults) console.log(fault)
    process.exitCode = faults.length > 0 ? 1 : 0
  }
}
