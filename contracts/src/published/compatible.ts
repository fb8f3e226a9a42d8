import type { JsonSchema } from './json-schema.ts'

interface Node extends JsonSchema {
  type?: string
  format?: string
  anyOf?: Node[]
  items?: Node
  properties?: Record<string, Node>
  required?: string[]
}

const variantsOf = (node: Node): Node[] => node.anyOf ?? [node]
const kindOf = ({ type = '', format = '' }: Node) => `${type} ${format}`.trim()

const breaksInVariant = (before: Node, now: Node, path: string): string[] => {
  const needed = new Set(now.required ?? [])
  const lost = (before.required ?? []).filter((name) => !needed.has(name))
  const inside = Object.entries(before.properties ?? {}).flatMap(([name, field]) => {
    const found = now.properties?.[name]
    return found ? breaks(field, found, `${path}.${name}`) : [`${path}.${name} is gone`]
  })
  return [
    ...lost.filter((name) => now.properties?.[name]).map((name) => `${path}.${name} may be absent now`),
    ...inside,
    ...(before.items && now.items ? breaks(before.items, now.items, `${path}[]`) : []),
  ]
}

/**
 * Why a reader of the released schema cannot read events of today's: a field is gone, may be absent, may be null or is of another kind. New
 * fields, and values of a list that grew, are no break.
 */
export const breaks = (before: Node, now: Node, path = 'data'): string[] =>
  variantsOf(now).flatMap((variant) => {
    const match = variantsOf(before).find((each) => kindOf(each) === kindOf(variant))
    return match ? breaksInVariant(match, variant, path) : [`${path} may be ${kindOf(variant)} now`]
  })
