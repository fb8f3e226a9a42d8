import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { endOfLife } from './end-of-life.mjs'
import { inRoot } from './root.mjs'
import { runCommand } from './run-command.mjs'

/** Where a wrong line costs messages, money or somebody else's data; and who would notice beyond the tests beside the file. */
const areas = [
  {
    name: 'deciders',
    files:
      /^services\/\w+\/src\/(chat|contact|contact-key|line|connection|user|subscription|email-claim|password-reset)\.ts$/,
  },
  {
    name: 'event store',
    files: /^services\/kernel\/src\/(event-store\/(?!contract|eventstoredb\/double).*|command-handler)\.ts$/,
  },
  {
    name: 'consumers',
    files: /^(services\/kernel\/src\/(reactors|timers|read-models)|projections\/src\/runner)\/.*\.ts$/,
  },
  { name: 'privacy', files: /^services\/kernel\/src\/privacy\/.*\.ts$/ },
  {
    name: 'owner filters',
    files: /^projections\/src\/.*\/queries\.ts$/,
    lines: /owner/,
    beyond: ['deploy/test/second-tenant.test.ts'],
  },
]

/** Each changes one thing that a tired engineer might get wrong. */
const operators = [
  ['a bound that is one off', /(?<![<=>-])(<|>)(?![<=>\w])(?= [\w$(])/g, (found) => `${found}=`],
  ['a bound that is one off', /(<|>)=(?= [\w$(])/g, (found) => found[0]],
  ['the opposite', /===/g, () => '!=='],
  ['the opposite', /!==/g, () => '==='],
  ['and for or', /&&/g, () => '||'],
  ['or for and', /\|\|/g, () => '&&'],
  ['yes for no', /\btrue\b/g, () => 'false'],
  ['no for yes', /\bfalse\b/g, () => 'true'],
  ['nothing added', / \+ 1n?\b/g, () => ''],
  ['nobody waits', /(?<=^\s+)await (?=\w[\w.]*\()/gm, () => 'void '],
  ['a guard left out', /(?<=^\s+)if \((?=.+\) (return|continue|throw))/gm, () => 'if (false && '],
  ['a filter left out', /\b(\w+\.)?owner = \$\d+/g, () => 'true'],
  ['no condition', /(?<=\bwhere )[a-z_]+ [<>=]+ \$\d+/g, () => 'true'],
]

/** mulberry32: the same seed gives the same round on the same code. */
const randomFrom = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

const lineAt = (text, index) => text.slice(0, index).split('\n').length
const isCode = (line) => !/^\s*(\/\/|\/?\*|import |export (type|interface)|type |interface )/.test(line)

/** Every change that the operators find in a file of an area. */
const candidatesIn = ({ name, files, lines = /./, beyond = [] }, paths) =>
  paths
    .filter((path) => files.test(path) && !path.endsWith('.test.ts'))
    .flatMap((path) => {
      const text = readFileSync(inRoot(path), 'utf8')
      const textLines = text.split('\n')
      return operators.flatMap(([what, pattern, change]) =>
        [...text.matchAll(pattern)].flatMap(({ 0: found, index }) => {
          const line = lineAt(text, index)
          const code = textLines[line - 1]
          if (!isCode(code) || !lines.test(code)) return []
          return { area: name, path, line, what, index, found, change: change(found), beyond }
        }),
      )
    })

const workspaceOf = (path) => /^(services\/\w+|\w+)\//.exec(path)[1]

const longestMilliseconds = 300_000

/** Whether these tests notice: one fails, or they do not come to an end. */
const notice = async (args) => {
  const common = ['--run', '--bail=1', '--reporter=dot', '--passWithNoTests', '--project=node']
  const test = runCommand([inRoot('node_modules/vitest/vitest.mjs'), ...args, ...common], { longestMilliseconds })
  return (await test).code !== 0
}

/** Whether a test fails: the file's own first, then its folder's, then whoever else of its workspace uses it. */
const isCaught = async ({ path, beyond }) => {
  const own = path.replace(/\.ts$/, '.test.ts')
  if (existsSync(inRoot(own)) && (await notice(['run', own]))) return true
  if (await notice(['related', path, `--dir=${dirname(path)}`])) return true
  if (beyond.length > 0 && (await notice(['run', ...beyond]))) return true
  return notice(['related', path, `--dir=${workspaceOf(path)}`])
}

/** Applies the change, asks the tests, and puts the file back whatever happens. */
const tryMutation = async (mutation) => {
  const file = inRoot(mutation.path)
  const text = readFileSync(file, 'utf8')
  const { index, found, change } = mutation
  try {
    writeFileSync(file, text.slice(0, index) + change + text.slice(index + found.length))
    return await isCaught(mutation)
  } finally {
    writeFileSync(file, text)
  }
}

/** As many of each area as there are places for, at random. */
const draw = (candidates, count, random) => {
  const drawn = []
  const byArea = groupBy(candidates)
  const rest = [...byArea.values()].map((of) => of.map((each) => [random(), each]).sort(([a], [b]) => a - b))
  for (let turn = 0; drawn.length < count && rest.some((of) => of.length > 0); turn++) {
    const next = rest[turn % rest.length].pop()
    if (next) drawn.push(next[1])
  }
  return drawn
}

const groupBy = (candidates) => {
  const groups = new Map()
  for (const each of candidates) groups.set(each.area, [...(groups.get(each.area) ?? []), each])
  return groups
}

/**
 * One round: `count` small faults, one at a time, in the files where a fault costs most; prints which no test noticed, and the
 * rate. Files with changes that are not committed are refused, as a crash in the middle would leave a fault in them.
 */
export const mutationRound = async ({ count = 60, seed = Date.now() % 1e6 } = {}) => {
  const git = (...args) => execFileSync('git', args, { cwd: inRoot(), encoding: 'utf8' })
  const changed = git('status', '--porcelain', '--untracked-files=no').trim()
  if (changed) throw new Error(`Commit or set aside first, as faults are written into the sources:\n${changed}`)
  const paths = git('ls-files', '*.ts').trim().split('\n')
  const candidates = areas.flatMap((area) => candidatesIn(area, paths))
  const drawn = draw(candidates, count, randomFrom(seed))
  console.log(`${drawn.length} faults of ${candidates.length} possible ones (seed ${seed})`)
  let caught = 0
  for (const mutation of drawn) {
    const { area, path, line, what, found, change } = mutation
    const noticed = await tryMutation(mutation)
    if (endOfLife.aborted) return 1
    if (noticed) caught++
    console.log(`${noticed ? 'caught  ' : 'SURVIVED'} ${area}: ${path}:${line} ${what}: '${found}' → '${change}'`)
  }
  console.log(`\n${caught} of ${drawn.length} caught: ${((100 * caught) / drawn.length).toFixed(1)} %`)
  return 0
}
