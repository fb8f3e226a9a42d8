import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files where a fault costs messages, money or another tenant's data; `beyond`: end-to-end tests. */
const areas = [
  {
    name: 'deciders',
    files:
      /^services\/(?!sandbox)\w+\/src\/(.*\/)?(chat|contact|contact-key|quick-replies|line|connection|user|subscription|email-claim|password-reset|order|parked-work)\.ts$/,
  },
  {
    name: 'event store',
    files:
      /^services\/kernel\/src\/(event-store\/(?!contract|eventstoredb\/double)|domain\/[\w-]+\.ts)(?!.*specify).*$/,
  },
  {
    name: 'snapshots',
    files: /^services\/kernel\/src\/domain\/snapshots\/(?!testing-names).*\.ts$/,
  },
  {
    name: 'budgets',
    files: /^services\/kernel\/src\/(spending|drafts|budgets)\b.*\.ts$/,
  },
  {
    name: 'flows',
    files: /^services\/automation\/src\/(?!samples|testing|migrations).*\.ts$/,
  },
  {
    name: 'billing',
    files: /^services\/billing\/src\/(?!testing|migrations).*\.ts$/,
  },
  {
    name: 'identity',
    files: /^services\/identity\/src\/(?!testing|migrations|photo).*\.ts$/,
  },
  {
    name: 'consumers',
    files: /^(services\/kernel\/src\/consumers|projections\/src\/runner)\/.*\.ts$/,
  },
  {
    name: 'privacy',
    files: /^services\/kernel\/src\/privacy\/.*\.ts$/,
    beyond: ['deploy/test/erased-subject.test.ts', 'deploy/test/master-secret.test.ts'],
  },
  {
    name: 'tenant filters',
    files: /^projections\/src\/.*\/queries\.ts$/,
    lines: /owner/,
    beyond: ['deploy/test/second-tenant.test.ts'],
  },
]

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
  // Fastify loads plugins in order of registration, awaited or not.
  ['nobody waits', /(?<=^\s+)await (?!app\.register\()(?=\w[\w.]*\()/gm, () => 'void '],
  ['a guard left out', /(?<=^\s+)if \((?=.+\) (return|continue|throw))/gm, () => 'if (false && '],
  ['a filter left out', /\b(\w+\.)?owner = \$\d+/g, () => 'true'],
  ['no condition', /(?<=\bwhere )[a-z_]+ [<>=]+ \$\d+/g, () => 'true'],
  ['a filter left out', /\.(where|andWhere)\((?='[\w.]*owner'|\{ owner)('[\w.]*', [\w.]+|\{[^{}]*\})\)/g, () => ''],
]

const lineAt = (text, index) => text.slice(0, index).split('\n').length
const isCode = (line) => !/^\s*(\/\/|\/?\*|import |export (type|interface)|type |interface |'[^']*',?$)/.test(line)

const candidatesIn = ({ name, files, lines = /./, beyond = [] }, root, paths) =>
  paths
    .filter((path) => files.test(path) && !/(\.test|\.contract|-process|\/main)\.ts$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const textLines = text.split('\n')
      return operators.flatMap(([what, pattern, change]) =>
        [...text.matchAll(pattern)].flatMap(({ 0: found, index }) => {
          const line = lineAt(text, index)
          const code = textLines[line - 1]
          if (!isCode(code) || !lines.test(code)) return []
          return { area: name, path, line, code: code.trim(), what, index, found, change: change(found), beyond }
        }),
      )
    })

export const findCandidates = (root, paths, named) => {
  const chosen = areas.filter(({ name }) => named === undefined || name === named)
  if (chosen.length === 0)
    throw new Error(`There is no area '${named}', only ${areas.map(({ name }) => name).join(', ')}.`)
  return chosen.flatMap((area) => candidatesIn(area, root, paths))
}

/** mulberry32 */
const randomFrom = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

const groupBy = (candidates) => {
  const groups = new Map()
  for (const each of candidates) groups.set(each.area, [...(groups.get(each.area) ?? []), each])
  return groups
}

export const shuffle = (candidates, seed) => {
  const random = randomFrom(seed)
  const drawn = []
  const rest = [...groupBy(candidates).values()].map((of) =>
    of.map((each) => [random(), each]).sort(([a], [b]) => a - b),
  )
  for (let turn = 0; rest.some((of) => of.length > 0); turn++) {
    const next = rest[turn % rest.length].pop()
    if (next) drawn.push(next[1])
  }
  return drawn
}
