import type { Change, Path } from './state-tree.ts'

interface Pending {
  path: Path
  /** Removed in between: it now comes last. */
  wasRemoved: boolean
  /** undefined: removed. */
  value: (() => unknown) | undefined
}

/** Changes since the last take; a repeated change is written once, with its latest value. */
export class PendingChanges {
  onChange: () => void = () => undefined
  #pending = new Map<string, Pending>()

  set(path: Path, value: () => unknown) {
    const key = JSON.stringify(path)
    const before = this.#pending.get(key)
    if (before && !before.value) this.#pending.delete(key)
    this.#pending.set(key, { path, wasRemoved: before?.wasRemoved ?? false, value })
    this.onChange()
  }

  remove(path: Path) {
    this.#pending.set(JSON.stringify(path), { path, wasRemoved: true, value: undefined })
    this.onChange()
  }

  clear(path: Path) {
    const start = `${JSON.stringify(path).slice(0, -1)},`
    for (const key of this.#pending.keys()) if (key.startsWith(start)) this.#pending.delete(key)
    this.remove(path)
  }

  /** Synchronous, so that a change is never taken in half. */
  take(): Change[] {
    const taken = this.#pending
    this.#pending = new Map()
    return [...taken.values()].flatMap(({ path, wasRemoved, value }): Change[] => [
      ...(wasRemoved ? [[path] as const] : []),
      ...(value ? [[path, JSON.stringify(value())] as const] : []),
    ])
  }
}

/** Records changes under one path; no effect without a file. */
export class StateChanges {
  readonly #pending: PendingChanges | undefined
  readonly #path: Path
  readonly #parent: StateChanges | undefined
  #isCleared = false

  constructor(pending: PendingChanges | undefined, path: Path = [], parent?: StateChanges) {
    this.#pending = pending
    this.#path = path
    this.#parent = parent
  }

  at(...names: Path): StateChanges {
    return new StateChanges(this.#pending, [...this.#path, ...names], this)
  }

  /** @param value called when written; must be JSON */
  set(name: string, value: () => unknown) {
    if (this.#isOpen) this.#pending?.set([...this.#path, name], value)
  }

  remove(name: string) {
    if (this.#isOpen) this.#pending?.remove([...this.#path, name])
  }

  /** Final: later changes of running work are ignored. */
  clear() {
    if (this.#isOpen) this.#pending?.clear(this.#path)
    this.#isCleared = true
  }

  get #isOpen(): boolean {
    if (this.#isCleared) return false
    return this.#parent === undefined || this.#parent.#isOpen
  }
}

/** A change inside a value needs another `set`. */
export class RecordedMap<K extends string | number, V> extends Map<K, V> {
  readonly #changes: StateChanges
  readonly #save: (value: V) => unknown

  constructor(changes: StateChanges, save: (value: V) => unknown) {
    super()
    this.#changes = changes
    this.#save = save
  }

  override set(key: K, value: V): this {
    this.#changes.set(String(key), () => this.#save(value))
    return super.set(key, value)
  }

  override delete(key: K): boolean {
    if (!super.delete(key)) return false
    this.#changes.remove(String(key))
    return true
  }

  override clear() {
    for (const key of [...this.keys()]) this.delete(key)
  }
}
