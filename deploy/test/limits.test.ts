import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Expression, parseSync, Visitor } from 'oxc-parser'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folders = ['contracts/src', 'services', 'projections/src', 'deploy/src']
const leftOut =
  /\/(node_modules|dist|testing|bench|contract|migrations|samples)$|^services\/sandbox$|\.(test|contract|config)\.ts$|\.d\.ts$/

const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (leftOut.test(path)) return []
    if (entry.isDirectory()) return sourcesOf(path)
    return path.endsWith('.ts') ? [path] : []
  })

type Known = ReadonlyMap<string, number>

const calculate = (operator: string, left: number, right: number): number | undefined => {
  if (operator === '*') return left * right
  if (operator === '/') return left / right
  if (operator === '+') return left + right
  if (operator === '-') return left - right
  return operator === '**' ? left ** right : undefined
}

/** Undefined unless the expression consists of numbers and known names. */
const evaluate = (expression: Expression, known: Known): number | undefined => {
  if (expression.type === 'Literal') return typeof expression.value === 'number' ? expression.value : undefined
  if (expression.type === 'Identifier') return known.get(expression.name)
  if (expression.type === 'ParenthesizedExpression') return evaluate(expression.expression, known)
  if (expression.type !== 'BinaryExpression' || expression.left.type === 'PrivateIdentifier') return undefined
  const [left, right] = [evaluate(expression.left, known), evaluate(expression.right, known)]
  return left === undefined || right === undefined ? undefined : calculate(expression.operator, left, right)
}

/** Excluded: they follow from a format or are visible on the screen. */
const otherNames = new Set(['status', 'version', 'x', 'y', 'code'])

const numbersIn = (path: string): string[] => {
  const known = new Map<string, number>()
  const found: string[] = []
  const add = (name: string, value: number) => {
    if (value > 2 && !otherNames.has(name)) found.push(`${name} ${value}`)
  }
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      const value = id.type === 'Identifier' && init ? evaluate(init, known) : undefined
      if (id.type !== 'Identifier' || value === undefined) return
      known.set(id.name, value)
      add(id.name, value)
    },
    Property: ({ key, value: given }) => {
      if (key.type !== 'Identifier' || given.type.endsWith('Pattern')) return
      const value = evaluate(given as Expression, known)
      if (value !== undefined) add(key.name, value)
    },
  }).visit(parseSync(path, readFileSync(join(root, path), 'utf8')).program)
  return found
}

/** A wrong duration or limit stays unnoticed for months. Changes are recorded in `limits.json`. */
it('each duration, limit and window is what it was meant to be', async () => {
  const found = Object.fromEntries(
    folders
      .flatMap(sourcesOf)
      .map((path) => [path, numbersIn(path)] as const)
      .filter(([, numbers]) => numbers.length > 0)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  await expect(`${JSON.stringify(found, null, 2)}\n`).toMatchFileSnapshot('limits.json')
})
