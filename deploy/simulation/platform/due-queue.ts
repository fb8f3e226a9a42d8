export interface Due {
  atMs: number
  /** Breaks ties. */
  order: number
}

export class DueQueue<T extends Due> {
  readonly #heap: T[] = []

  get size(): number {
    return this.#heap.length
  }

  add(item: T): void {
    const heap = this.#heap
    heap.push(item)
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#swapped(parent, at)) return
      at = parent
    }
  }

  take(): T | undefined {
    const heap = this.#heap
    const [first] = heap
    const last = heap.pop()
    if (heap.length === 0 || last === undefined) return first
    heap[0] = last
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const smaller = this.#isBefore(right, left) ? right : left
      if (!this.#swapped(at, smaller)) return first
      at = smaller
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [first, second] = [this.#heap[one], this.#heap[other]]
    if (!first || !second) return false
    return first.atMs - second.atMs < 0 || (first.atMs === second.atMs && first.order < second.order)
  }

  #swapped(parent: number, child: number): boolean {
    if (!this.#isBefore(child, parent)) return false
    const [upper, lower] = [this.#heap[parent], this.#heap[child]]
    if (!upper || !lower) return false
    this.#heap[parent] = lower
    this.#heap[child] = upper
    return true
  }
}
