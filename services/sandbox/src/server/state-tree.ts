/** Where a value of the state is, e.g. `['accounts', '5511…', 'phone', 'sessions', '5511….0']`. */
export type Path = readonly string[]

/** What became of a value: its JSON, or nothing where it is gone with all that was under it. */
export type Change = readonly [path: Path, json?: string]

type Tree = Map<string, Tree | string>

/** The state as values by their paths, each as JSON; those under the same path keep the order in which they came. */
export class StateTree {
  readonly #root: Tree = new Map()

  /** Answers whether it changed anything. */
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

  /** Every value, as the changes that make an empty tree equal to this one. */
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

  /** What stands directly under a path, in its order. */
  names(...path: Path): string[] {
    const found = this.#find(path)
    return found instanceof Map ? [...found.keys()] : []
  }

  /** Undefined where no value is. The caller knows its shape: it is the one that was recorded there. */
  value<T>(...path: Path): T | undefined {
    const found = this.#find(path)
    return typeof found === 'string' ? (JSON.parse(found) as T) : undefined
  }

  /** The values directly under a path. */
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
