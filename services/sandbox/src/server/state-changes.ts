import type { Change, Path } from './state-tree.ts'

interface Pending {
  path: Path
  /** It was taken away in between, and comes behind all others now. */
  wasRemoved: boolean
  /** Undefined where it is gone. */
  value: (() => unknown) | undefined
}

/** What has changed since it was last taken. A value that changes often meanwhile is written once, as it is when it is taken. */
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

  /** Everything under a path is gone: it reads all that is pending. */
  clear(path: Path) {
    const start = `${JSON.stringify(path).slice(0, -1)},`
    for (const key of this.#pending.keys()) if (key.startsWith(start)) this.#pending.delete(key)
    this.remove(path)
  }

  /** In one synchronous step, so that what is taken is never half a change. */
  take(): Change[] {
    const taken = this.#pending
    this.#pending = new Map()
    return [...taken.values()].flatMap(({ path, wasRemoved, value }): Change[] => [
      ...(wasRemoved ? [[path] as const] : []),
      ...(value ? [[path, JSON.stringify(value())] as const] : []),
    ])
  }
}

/** Takes down what changes under one path; nothing where nothing is kept. */
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

  /** @param value asked for when it is written: what it answers is written as JSON */
  set(name: string, value: () => unknown) {
    if (this.#isOpen) this.#pending?.set([...this.#path, name], value)
  }

  remove(name: string) {
    if (this.#isOpen) this.#pending?.remove([...this.#path, name])
  }

  /** Everything here is gone for good: what still changes, as work in hand ends, is taken down no more. */
  clear() {
    if (this.#isOpen) this.#pending?.clear(this.#path)
    this.#isCleared = true
  }

  get #isOpen(): boolean {
    if (this.#isCleared) return false
    return this.#parent === undefined || this.#parent.#isOpen
  }
}

/** A map of which every change is taken down. What changes within a value is set again. */
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
