/** Path of a value, e.g. `['accounts', '5511…', 'phone', 'sessions', '5511….0']`. */
export type Path = readonly string[]

/** JSON; undefined: removed with all below. */
export type Change = readonly [path: Path, json?: string]

type Tree = Map<string, Tree | string>

/** JSON values by path; siblings keep their order. */
export class StateTree {
  readonly #root: Tree = new Map()

  /** True when it changed anything. */
  apply([path, json]: Change): boolean {
    const names = path.slice(0, -1)
    const last = path.at(-1) ?? ''
    let tree = this.#root
    for (const name of names) {
      const next = tree.get(name)
      if (next instanceof Map) tree = next
      else if (json === undefined) return false
      else {
        const made: Tree = new Map()
        tree.set(name, made)
        tree = made
      }
    }
    if (json === undefined) return tree.delete(last)
    if (tree.get(last) === json) return false
    tree.set(last, json)
    return true
  }

  changes(): Change[] {
    const found: Change[] = []
    const walk = (tree: Tree, path: Path) => {
      for (const [name, value] of tree) {
        if (value instanceof Map) walk(value, [...path, name])
        else found.push([[...path, name], value])
      }
    }
    walk(this.#root, [])
    return found
  }

  names(...path: Path): string[] {
    const found = this.#find(path)
    return found instanceof Map ? [...found.keys()] : []
  }

  /** The caller knows the shape that was recorded. */
  value<T>(...path: Path): T | undefined {
    const found = this.#find(path)
    return typeof found === 'string' ? (JSON.parse(found) as T) : undefined
  }

  entries<T>(...path: Path): [name: string, value: T][] {
    return this.names(...path).flatMap((name): [string, T][] => {
      const value = this.value<T>(...path, name)
      return value === undefined ? [] : [[name, value]]
    })
  }

  #find(path: Path): Tree | string | undefined {
    let found: Tree | string | undefined = this.#root
    for (const name of path) found = found instanceof Map ? found.get(name) : undefined
    return found
  }
}
