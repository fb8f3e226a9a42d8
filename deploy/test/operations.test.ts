import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { type Product, startProduct } from './product.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(root, path), 'utf8')

const alerts = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Prosa[A-Za-z]+$/),
          expr: z.string(),
          for: z.string().regex(/^\d+m$/),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
})
const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
})

const rulesOf = async () =>
  alerts.parse(parse(await read('deploy/operations/alerts.yml'))).groups.flatMap(({ rules }) => rules)
const panelsOf = async () => dashboard.parse(JSON.parse(await read('deploy/operations/dashboard.json'))).panels

/** What Prometheus adds by itself, and what a series has once garbage was collected. */
const addedLabels = ['job', 'instance', 'le', 'kind']
const functions = /\b(sum|max|rate|increase|by|histogram_quantile|max_over_time|up)\b/g

let product: Product
let shown: string
beforeAll(async () => {
  product = await startProduct()
  const marina = await product.visitor().register()
  await marina.connections()
  shown = await (await fetch(`${product.url}/metrics`)).text()
})
afterAll(() => product.stop())

describe('dashboard and alert rules', () => {
  it('use only metrics that /metrics offers', async () => {
    const types = new Map([...shown.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name = '', type = '']) => [name, type]))
    // Timers and files are reported once there are some; metrics.test.ts compares this list with what is shown.
    const described = new Set(
      [...(await read('docs/operating.md')).matchAll(/^\| `(prosa_\w+)/gm)].map(([, name]) => name),
    )
    const isOffered = (name: string) => {
      const whole = name.replace(/_(bucket|sum|count)$/, '')
      return types.has(name) || described.has(name) || /histogram|summary/.test(types.get(whole) ?? '')
    }
    const expressions = [...(await rulesOf()), ...(await panelsOf()).flatMap(({ targets }) => targets)].map(
      ({ expr }) => expr,
    )
    const names = expressions.flatMap((expr) => expr.match(/\b(prosa|process|nodejs)_\w+/g) ?? [])
    expect(new Set(names).size).toBeGreaterThan(25)
    expect(names.filter((name) => !isOffered(name))).toEqual([])
    for (const expr of expressions) {
      const rest = expr
        .replaceAll(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)|"[^"]*"/g, '')
        .replaceAll(functions, '')
        .replaceAll(/\b(prosa|process|nodejs)_\w+/g, '')
      expect([expr, rest.match(/[a-z_]\w+/g)]).toEqual([expr, null])
    }
  })

  it('use only labels that its series have', async () => {
    const labels = new Set([...shown.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
    for (const label of [...addedLabels, 'timer', 'worker', 'refusal']) labels.add(label)
    const expressions = [...(await rulesOf()), ...(await panelsOf()).flatMap(({ targets }) => targets)].map(
      ({ expr }) => expr,
    )
    const used = expressions.flatMap((expr) => [
      ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
      ...[...expr.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label),
    ])
    expect(used.filter((label) => !labels.has(label))).toEqual([])
  })

  it('have a rule for everything that the operating page calls an alert', async () => {
    const wanted = [...(await read('docs/operating.md')).matchAll(/^\| `(prosa_\w+)` \|.*\*\*alert\*\*/gm)].map(
      ([, name]) => name ?? '',
    )
    const expressions = (await rulesOf()).map(({ expr }) => expr).join('\n')
    expect(wanted.length).toBeGreaterThan(10)
    expect(wanted.filter((name) => !new RegExp(`\\b${name}\\b`).test(expressions))).toEqual([])
  })

  it('are named once, with a runbook of a page each', async () => {
    const rules = await rulesOf()
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    const linked = rules.map(({ annotations }) => annotations.runbook)
    expect((await readdir(join(root, 'docs/runbooks'))).map((name) => `docs/runbooks/${name}`).sort()).toEqual(
      linked.sort(),
    )
    for (const { alert, annotations } of rules) {
      const lines = (await read(annotations.runbook)).trimEnd().split('\n')
      expect(lines[0]).toBe(`# ${alert}`)
      expect(lines.length).toBeLessThan(60)
    }
  })
})
