interface Link {
  source: string
  target: string
}

const targetsOf = (links: readonly Link[], from: 'source' | 'target', to: 'source' | 'target') => {
  const targets = new Map<string, string[]>()
  for (const link of links) {
    const known = targets.get(link[from])
    if (known) known.push(link[to])
    else targets.set(link[from], [link[to]])
  }
  return targets
}

/** Depth-first, post-order. */
const visitFrom = (start: string, targets: ReadonlyMap<string, readonly string[]>, seen: Set<string>): string[] => {
  if (seen.has(start)) return []
  seen.add(start)
  const left: string[] = []
  const path = [{ id: start, next: 0 }]
  for (let last = path.at(-1); last; last = path.at(-1)) {
    const target = targets.get(last.id)?.[last.next++]
    if (target === undefined) {
      left.push(last.id)
      path.pop()
    } else if (!seen.has(target)) {
      seen.add(target)
      path.push({ id: target, next: 0 })
    }
  }
  return left
}

/** Kosaraju's strongly connected components: linear time. */
export const nodesOnCycles = (links: readonly Link[]): Set<string> => {
  const [forth, back] = [targetsOf(links, 'source', 'target'), targetsOf(links, 'target', 'source')]
  const seen = new Set<string>()
  const order: string[] = []
  for (const id of forth.keys()) for (const each of visitFrom(id, forth, seen)) order.push(each)
  const onCycles = new Set(links.flatMap(({ source, target }) => (source === target ? source : [])))
  const taken = new Set<string>()
  for (const id of order.toReversed()) {
    const connected = visitFrom(id, back, taken)
    if (connected.length > 1) for (const each of connected) onCycles.add(each)
  }
  return onCycles
}
