import type { Coordinates } from '../state/node-graph.ts'

export interface Box extends Coordinates {
  width: number
  height: number
}

export type Side = 'left' | 'right' | 'bottom'

/** Distance of a line from steps, in px. */
export const clearance = 15
/** Where steps lie closer than that. */
const least = 4
/** Lines that leave one step beside each other. */
const laneWidth = 7
/** A line is tried around so many steps at most, and so many corners; beyond, it runs straight. */
const maxBoxes = 60
const maxVisits = 4000
/** A corner costs as much as so many px. */
const bendCost = 40
/** How far around both ends steps are looked at, in px. */
const surroundings = 400

type Segment = readonly [Coordinates, Coordinates]

const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

const boxOf = ([one, other]: Segment): Box => ({
  x: Math.min(one.x, other.x),
  y: Math.min(one.y, other.y),
  width: Math.abs(one.x - other.x),
  height: Math.abs(one.y - other.y),
})

export const meet = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

const crosses = (segment: Segment, boxes: readonly Box[]): boolean => {
  const line = boxOf(segment)
  return boxes.some((box) => meet(line, box))
}

const segmentsOf = (points: readonly Coordinates[]): Segment[] =>
  points.flatMap((point, at) => {
    const next = points[at + 1]
    return next ? [[point, next] as const] : []
  })

const isFree = (points: readonly Coordinates[], boxes: readonly Box[]) =>
  segmentsOf(points).every((segment) => !crosses(segment, boxes))

/** Without points in the middle of a line. */
const corners = (points: readonly Coordinates[]): Coordinates[] =>
  points.filter((point, at) => {
    const [before, after] = [points[at - 1], points[at + 1]]
    if (!before || !after) return true
    const isStraight = (before.x === point.x && point.x === after.x) || (before.y === point.y && point.y === after.y)
    return !isStraight
  })

/** Shapes that most lines have, the plainest first. */
const plainShapes = (
  from: Coordinates,
  side: Side,
  [out, into]: readonly [Coordinates, Coordinates],
  to: Coordinates,
): Coordinates[][] => {
  if (side === 'bottom') {
    const middle = Math.round((from.y + to.y) / 2)
    const isBelow = to.y - from.y >= clearance
    return isBelow ? [[from, { x: from.x, y: middle }, { x: to.x, y: middle }, to]] : []
  }
  const isThatWay = to.y > from.y && (side === 'right' ? to.x >= out.x : to.x <= out.x)
  const angle = [from, { x: to.x, y: from.y }, to]
  return [...(isThatWay ? [angle] : []), [from, out, { x: out.x, y: into.y }, into, to]]
}

interface Visit {
  column: number
  row: number
  /** 0 right, 1 down, 2 left, 3 up. */
  heading: number
  cost: number
  rank: number
  before: Visit | null
}

const headings = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
] as const
const headingOf: Record<Side, number> = { right: 0, bottom: 1, left: 2 }

/** A binary heap: the lowest rank first. */
const push = (heap: Visit[], visit: Visit) => {
  let at = heap.push(visit) - 1
  while (at > 0) {
    const up = (at - 1) >> 1
    const parent = heap[up]
    if (!parent || parent.rank <= visit.rank) break
    heap[at] = parent
    at = up
  }
  heap[at] = visit
}

const pop = (heap: Visit[]): Visit | undefined => {
  const [first] = heap
  const last = heap.pop()
  if (!first || !last || heap.length === 0) return first
  let at = 0
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
    const down = right && left && right.rank < left.rank ? 2 * at + 2 : 2 * at + 1
    const child = heap[down]
    if (!child || child.rank >= last.rank) break
    heap[at] = child
    at = down
  }
  heap[at] = last
  return first
}

const lineOf = (visit: Visit, xs: readonly number[], ys: readonly number[]): Coordinates[] => {
  const points: Coordinates[] = []
  for (let at: Visit | null = visit; at; at = at.before) points.unshift({ x: xs[at.column] ?? 0, y: ys[at.row] ?? 0 })
  return points
}

const sorted = (values: readonly number[]) => [...new Set(values)].toSorted((one, other) => one - other)

/** A* along the sides of the boxes; undefined if there is no way, or none was found in time. */
const around = (out: Coordinates, side: Side, into: Coordinates, boxes: readonly Box[]): Coordinates[] | undefined => {
  const xs = sorted([out.x, into.x, ...boxes.flatMap(({ x, width }) => [x, x + width])])
  const ys = sorted([out.y, into.y, ...boxes.flatMap(({ y, height }) => [y, y + height])])
  const inside = boxes.map((box) => grown(box, -1))
  const distance = (column: number, row: number) =>
    Math.abs((xs[column] ?? 0) - into.x) + Math.abs((ys[row] ?? 0) - into.y)
  const [column, row] = [xs.indexOf(out.x), ys.indexOf(out.y)]
  const heap: Visit[] = []
  push(heap, { column, row, heading: headingOf[side], cost: 0, rank: distance(column, row), before: null })
  const done = new Set<number>()
  for (let visits = 0; visits < maxVisits; visits++) {
    const visit = pop(heap)
    if (!visit) return undefined
    const key = (visit.row * xs.length + visit.column) * 4 + visit.heading
    if (done.has(key)) continue
    done.add(key)
    if (xs[visit.column] === into.x && ys[visit.row] === into.y) return lineOf(visit, xs, ys)
    for (const [heading, by] of headings.entries()) {
      if ((heading + 2) % 4 === visit.heading) continue
      const next = { column: visit.column + by.x, row: visit.row + by.y }
      const [x, y] = [xs[next.column], ys[next.row]]
      const [fromX, fromY] = [xs[visit.column], ys[visit.row]]
      if (x === undefined || y === undefined || fromX === undefined || fromY === undefined) continue
      if (
        crosses(
          [
            { x: fromX, y: fromY },
            { x, y },
          ],
          inside,
        )
      )
        continue
      const length = Math.abs(x - fromX) + Math.abs(y - fromY)
      const cost = visit.cost + length + (heading === visit.heading ? 0 : bendCost)
      push(heap, { ...next, heading, cost, rank: cost + distance(next.column, next.row), before: visit })
    }
  }
  return undefined
}

/**
 * The corners of a line from an output at this side to an input, which is entered from above; around the boxes where it can. Lines of one
 * step have different lanes, from 0.
 */
export const routed = (
  from: Coordinates,
  side: Side,
  to: Coordinates,
  boxes: readonly Box[],
  lane = 0,
): Coordinates[] => {
  const endsOf = (away: number) => {
    const by = away + laneWidth * lane
    const out = {
      right: { x: from.x + by, y: from.y },
      left: { x: from.x - by, y: from.y },
      bottom: { x: from.x, y: from.y + away },
    }[side]
    return [out, { x: to.x, y: to.y - away - (away === clearance ? laneWidth * (lane % 4) : 0) }] as const
  }
  const [out, into] = endsOf(clearance)
  const ends = grown(boxOf([out, into]), surroundings)
  const near = boxes.filter((box) => meet(box, ends))
  const shapes = plainShapes(from, side, [out, into], to).map(corners)
  const plain = shapes.find((shape) => isFree(shape, near))
  if (plain) return plain
  const straight = shapes[0] ?? [from, out, into, to]
  if (near.length > maxBoxes) return straight
  for (const away of [clearance, least]) {
    const [start, end] = endsOf(away)
    const way = around(
      start,
      side,
      end,
      near.map((box) => grown(box, away - 1)),
    )
    if (way) return corners([from, ...way, to])
  }
  return straight
}

const radius = 6

/** With round corners. */
export const pathOf = (points: readonly Coordinates[]): string =>
  points
    .map((point, at) => {
      const [before, after] = [points[at - 1], points[at + 1]]
      if (!before) return `M${point.x} ${point.y}`
      if (!after) return `L${point.x} ${point.y}`
      const towards = (other: Coordinates) => {
        const length = Math.abs(other.x - point.x) + Math.abs(other.y - point.y)
        const part = length === 0 ? 0 : Math.min(radius, length / 2) / length
        return `${point.x + (other.x - point.x) * part} ${point.y + (other.y - point.y) * part}`
      }
      return `L${towards(before)} Q${point.x} ${point.y} ${towards(after)}`
    })
    .join(' ')

/** In the middle of the longest part. */
export const labelAt = (points: readonly Coordinates[]): Coordinates => {
  const longest = segmentsOf(points).reduce<{ segment: Segment; length: number } | null>((most, segment) => {
    const { width, height } = boxOf(segment)
    return most && most.length >= width + height ? most : { segment, length: width + height }
  }, null)
  const { x, y, width, height } = boxOf(longest?.segment ?? [points[0] ?? { x: 0, y: 0 }, points[0] ?? { x: 0, y: 0 }])
  return { x: x + width / 2, y: y + height / 2 }
}
