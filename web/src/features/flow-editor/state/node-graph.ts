import {
  type FlowDocument,
  type FlowLink,
  type FlowNode,
  type FlowOutput,
  outputsOf,
} from '@prosa/contracts/flows/flow-document'

/** Grid of the canvas in px (specification, 9). */
export const gridPx = 15

/** Approximate, in px. */
export const nodeWidth = 240
const plainHeight = 105
const outputHeight = 26
const rowGap = 5 * gridPx

/** Approximate, in px: outputs beyond two are listed. */
export const heightOf = (node: FlowNode): number =>
  hasManyOutputs(node) ? plainHeight + outputHeight * outputsOf(node).length : plainHeight

export interface Coordinates {
  x: number
  y: number
}

export interface Way {
  source: string
  sourceHandle: FlowOutput
  target: string
}

export const onGrid = ({ x, y }: Coordinates): Coordinates => ({
  x: Math.round(x / gridPx) * gridPx,
  y: Math.round(y / gridPx) * gridPx,
})

/** An output has at most one link, so these fields identify it. */
export const linkOf = ({ source, sourceHandle, target }: Way): FlowLink => ({
  id: `${source}-${sourceHandle ?? 'next'}-${target}`,
  source,
  target,
  sourceHandle,
})

/** Undefined if the flow ends there. */
export const mainOutputOf = (node: FlowNode): FlowOutput | undefined => outputsOf(node)[0]

/** More than the two that leave below and at the right. */
export const hasManyOutputs = (node: FlowNode): boolean => node.type === 'menu' || outputsOf(node).length > 2

export const isOutput = (link: FlowLink, source: string, sourceHandle: FlowOutput): boolean =>
  link.source === source && link.sourceHandle === sourceHandle

export const targetOf = ({ links }: FlowDocument, source: string, output: FlowOutput): string | undefined =>
  links.find((link) => isOutput(link, source, output))?.target

/** Only from an existing output to a node with an input: a trigger has none. */
export const canLink = ({ nodes }: FlowDocument, { source, sourceHandle, target }: Way): boolean => {
  const from = nodes.find(({ id }) => id === source)
  const to = nodes.find(({ id }) => id === target)
  return from !== undefined && to !== undefined && to.type !== 'trigger' && outputsOf(from).includes(sourceHandle)
}

/** Replaces the link of the same output. */
export const linksWith = (links: readonly FlowLink[], way: Way): FlowLink[] => [
  ...links.filter((link) => !isOutput(link, way.source, way.sourceHandle)),
  linkOf(way),
]

export const coordinatesBelow = ({ nodes }: FlowDocument, node?: FlowNode): Coordinates => {
  const lowest = nodes.reduce<FlowNode | undefined>(
    (low, one) => (low && low.position.y >= one.position.y ? low : one),
    undefined,
  )
  const above = node ?? lowest
  if (!above) return { x: 6 * gridPx, y: 6 * gridPx }
  const coordinates = onGrid({ x: above.position.x, y: above.position.y + heightOf(above) + rowGap })
  const isTaken = () =>
    nodes.some(
      ({ position }) => Math.abs(position.x - coordinates.x) < 200 && Math.abs(position.y - coordinates.y) < 90,
    )
  while (isTaken()) coordinates.x += 18 * gridPx
  return coordinates
}

/** From the trigger along the outputs, then unreachable nodes. */
export const readingOrder = ({ nodes, links }: FlowDocument): FlowNode[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const targets = new Map(links.map((link) => [`${link.source} ${link.sourceHandle}`, link.target]))
  const seen = new Set<string>()
  const ordered: FlowNode[] = []
  const walk = (first: FlowNode) => {
    const ahead = [first]
    for (let node = ahead.pop(); node; node = ahead.pop()) {
      if (seen.has(node.id)) continue
      seen.add(node.id)
      ordered.push(node)
      for (const output of outputsOf(node).toReversed()) {
        const target = byId.get(targets.get(`${node.id} ${output}`) ?? '')
        if (target) ahead.push(target)
      }
    }
  }
  for (const node of nodes) if (node.type === 'trigger') walk(node)
  const led = new Set(links.map(({ target }) => target))
  const rest = nodes.toSorted((one, other) => one.position.y - other.position.y || one.position.x - other.position.x)
  for (const node of rest) if (!led.has(node.id)) walk(node)
  for (const node of rest) walk(node)
  return ordered
}

/** Swaps a node with its predecessor, coordinates included; undefined if impossible. */
export const movedUp = (document: FlowDocument, nodeId: string): FlowDocument | undefined => {
  const { nodes, links } = document
  const node = nodes.find(({ id }) => id === nodeId)
  const into = links.find(({ target }) => target === nodeId)
  const before = nodes.find(({ id }) => id === into?.source)
  const output = node && mainOutputOf(node)
  if (!node || !into || !before || output === undefined || before.type === 'trigger' || before === node)
    return undefined
  const after = targetOf(document, node.id, output)
  const unchanged = links.filter((link) => link !== into && !isOutput(link, node.id, output))
  const turned = unchanged.map((link) => (link.target === before.id ? linkOf({ ...link, target: node.id }) : link))
  const moved = [
    ...turned,
    linkOf({ source: node.id, sourceHandle: output, target: before.id }),
    ...(after === undefined || after === before.id
      ? []
      : [linkOf({ source: before.id, sourceHandle: into.sourceHandle, target: after })]),
  ]
  const swapped = (one: FlowNode): FlowNode => {
    if (one === node) return { ...one, position: before.position }
    return one === before ? { ...one, position: node.position } : one
  }
  return { ...document, nodes: nodes.map(swapped), links: moved }
}
