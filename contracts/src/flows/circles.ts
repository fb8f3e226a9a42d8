interface Visit {
  id: string
  /** When it was come to, and the earliest that can be come back to from it. */
  order: number
  earliest: number
  left: string[]
}

/**
 * The nodes from which one comes back to themselves, in time in proportion to nodes and links: strongly connected components, as Tarjan
 * finds them (https://doi.org/10.1137/0201010), without recursion.
 */
export const nodesInCircles = (
  ids: readonly string[],
  targets: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> => {
  const visits = new Map<string, Visit>()
  /** Of what was come to, what is in no component yet. */
  const open: string[] = []
  const isOpen = new Set<string>()
  const found = new Set<string>()

  const come = (id: string): Visit => {
    const visit = { id, order: visits.size, earliest: visits.size, left: [...(targets.get(id) ?? [])] }
    visits.set(id, visit)
    open.push(id)
    isOpen.add(id)
    return visit
  }
  /** Everything that was come to since, and cannot go back further, is one component. */
  const close = ({ id }: Visit) => {
    const component = open.splice(open.lastIndexOf(id))
    for (const each of component) isOpen.delete(each)
    const isCircle = component.length > 1 || targets.get(id)?.includes(id)
    if (isCircle) for (const each of component) found.add(each)
  }

  for (const start of ids) {
    if (visits.has(start)) continue
    const path = [come(start)]
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      const next = visit.left.pop()
      if (next === undefined) {
        path.pop()
        const before = path.at(-1)
        if (before) before.earliest = Math.min(before.earliest, visit.earliest)
        if (visit.earliest === visit.order) close(visit)
        continue
      }
      const known = visits.get(next)
      if (!known) path.push(come(next))
      else if (isOpen.has(next)) visit.earliest = Math.min(visit.earliest, known.order)
    }
  }
  return found
}
