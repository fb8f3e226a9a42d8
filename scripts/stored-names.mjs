import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { inRoot } from './root.mjs'

const lists = /^contracts\/src\/stored-(names|commands)\.ts$/
const leftOut = /^projections\/src\/export\/|\.(test|contract)\.ts$|\/(testing|contract)\/|^services\/sandbox\//
const word = /^[a-z]+([-_][a-z]+)*$/
const createTable = /create (?:unlogged )?table (?:if not exists )?([a-z_]+)/g

const literal = (node) => (node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined)

/** `${id} of ${name}` → '* of *'. */
const pattern = (node) =>
  node?.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked).join('*') : literal(node)

const nameOf = ({ type, name, property }) => (type === 'Identifier' ? name : property?.name)

/**
 * Every string of the sources that is stored or that stored ids and keys derive from, by kind: names of consumers and timers, command
 * types, words of ids, contexts of keys and fingerprints, tables.
 */
export const findStoredNames = () => {
  const found = {
    consumers: new Set(),
    timers: new Set(),
    commands: new Set(),
    idWords: new Set(),
    keyContexts: new Set(),
    tables: new Set(),
  }
  const add = (kind, value) => value !== undefined && found[kind].add(value)
  const columns = new Set()
  const visitor = (file) => ({
    CallExpression({ callee, arguments: given }) {
      const called = nameOf(callee)
      if (called === 'deriveId' || called === 'stepOf') for (const each of given) add('idWords', literal(each))
      if (called === 'fingerprint') add('keyContexts', pattern(given[1]))
    },
    VariableDeclarator({ id, init }) {
      if (!init) return
      if (id.name === 'name') add('consumers', literal(init))
      if (/(context|purpose)/i.test(id.name ?? ''))
        add('keyContexts', pattern(init.type === 'ArrowFunctionExpression' ? init.body : init))
    },
    ObjectExpression(node) {
      // Columns and their types: one may be called `name`.
      if (columns.has(node)) return
      const property = (of) => node.properties.find(({ key }) => key?.name === of)?.value
      const name = literal(property('name'))
      if (word.test(name ?? '')) add(property('columns') ? 'tables' : 'consumers', name)
    },
    Property({ key, value }) {
      const stored = literal(value)
      if (key.name === 'columns') columns.add(value)
      if (key.name === 'kind' && file.endsWith('-timer.ts')) add('timers', stored)
      if (key.name === 'decide' && value.type === 'ObjectExpression')
        for (const command of value.properties) add('commands', command.key?.name)
    },
  })
  const files = execFileSync('git', ['ls-files', 'contracts/src', 'services', 'projections/src'], {
    cwd: inRoot(),
    encoding: 'utf8',
  })
  for (const file of files.trim().split('\n')) {
    if (!file.endsWith('.ts') || leftOut.test(file) || lists.test(file)) continue
    const source = readFileSync(inRoot(file), 'utf8')
    new Visitor(visitor(file)).visit(parseSync(file, source).program)
    for (const [, table] of source.matchAll(createTable)) add('tables', table)
  }
  return Object.fromEntries(Object.entries(found).map(([kind, names]) => [kind, [...names].sort()]))
}
