/**
 * One file: a line of JSON for each step, after a full copy, and nothing is sent before its cause is in it. The cost of a step depends on
 * the change; the file is rewritten once the steps outgrow the copy. Survives a killed process, but not a power failure: no fsync.
 */
import { existsSync, readFileSync } from 'node:fs'
import { appendFile, mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PendingChanges } from './state-changes.ts'
import { type Change, type Path, StateTree } from './state-tree.ts'

/** Minimum pause between saves; longer saves pause as long as they took. */
const PAUSE_MS = 20
const RETRY_MS = 1000
/** Minimum size of the steps before a rewrite. */
const LEAST_STEPS_BYTES = 1 << 20
const CHANGES_A_LINE = 500

const STEPS_VERSION = 2
const HEADER = `${JSON.stringify({ version: STEPS_VERSION })}\n`

export interface StateFileOptions {
  path: string
  changes: PendingChanges
  onFailure(error: unknown): void
  onWritten?(bytes: number): void
}

const lineOf = (changes: readonly Change[]): string => {
  const texts = changes.map(([path, json]) => `[${JSON.stringify(path)}${json === undefined ? '' : `,${json}`}]`)
  return `[${texts.join()}]\n`
}

const wholeOf = (tree: StateTree): string => {
  const changes = tree.changes()
  const lines = [HEADER]
  for (let at = 0; at < changes.length; at += CHANGES_A_LINE) lines.push(lineOf(changes.slice(at, at + CHANGES_A_LINE)))
  return lines.join('')
}

/** The last line may be incomplete after a kill: nothing of it was sent. */
const treeOf = (lines: readonly string[]): StateTree => {
  const tree = new StateTree()
  for (const line of lines.slice(0, -1)) {
    for (const [path, ...value] of JSON.parse(line) as [Path, unknown?][])
      tree.apply(value.length === 0 ? [path] : [path, JSON.stringify(value[0])])
  }
  return tree
}

/** Tree of the steps, JSON of an older version, or undefined without a file. Throws when unreadable. */
export function readStateFile(path: string): StateTree | { older: unknown } | undefined {
  if (!existsSync(path)) return undefined
  try {
    const [first = '', ...lines] = readFileSync(path, 'utf8').split('\n')
    const header: unknown = JSON.parse(first)
    const isOfSteps = (header as { version?: unknown } | null)?.version === STEPS_VERSION
    return isOfSteps ? treeOf(lines) : { older: header }
  } catch (error) {
    throw new Error(`the sandbox state in ${path} is damaged; delete the file to start anew`, { cause: error })
  }
}

export class StateFile {
  readonly #options: StateFileOptions
  readonly #tree = new StateTree()
  #waiting: (() => void)[] = []
  /** Our last state of the file; undefined: rewrite it. */
  #onDisk: { inode: number; bytes: number; whole: number } | undefined
  #lastSaveAt = 0
  #lastSaveMs = 0
  #timer?: NodeJS.Timeout
  #saving: Promise<void> | undefined
  #changedMeanwhile = false
  #isSuspended = false

  constructor(options: StateFileOptions) {
    this.#options = options
    options.changes.onChange = () => this.touch()
  }

  /** The change reaches the file in about 20 ms and the time of one write. */
  touch() {
    if (this.#isSuspended) return
    if (this.#saving) this.#changedMeanwhile = true
    else this.#schedule(this.#lastSaveAt + Math.max(PAUSE_MS, this.#lastSaveMs) - Date.now())
  }

  /** Runs `effect` once everything before is stored; in order. */
  release(effect: () => void) {
    this.#waiting.push(effect)
    this.touch()
  }

  saved(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#saving) this.#changedMeanwhile = true
      else this.#schedule(0)
    })
  }

  /** Saves, then leaves the file alone until resume(): another process may own it. */
  async suspend() {
    await this.saved()
    this.#isSuspended = true
  }

  resume() {
    this.#isSuspended = false
  }

  #schedule(delayMs: number) {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        this.#saving = this.#save()
      },
      Math.max(0, delayMs),
    )
  }

  async #save() {
    const waiting = this.#waiting
    this.#waiting = []
    this.#changedMeanwhile = false
    let failed = false
    const began = Date.now()
    try {
      await this.#write(this.#options.changes.take().filter((change) => this.#tree.apply(change)))
    } catch (error) {
      failed = true
      this.#onDisk = undefined
      this.#waiting = [...waiting, ...this.#waiting]
      this.#options.onFailure(error)
    }
    this.#saving = undefined
    this.#lastSaveAt = Date.now()
    this.#lastSaveMs = this.#lastSaveAt - began
    if (failed) return this.#schedule(RETRY_MS)
    for (const effect of waiting) effect()
    if (this.#waiting.length || this.#changedMeanwhile) this.touch()
  }

  async #write(changes: readonly Change[]) {
    if (this.#onDisk && changes.length === 0) return
    const { path } = this.#options
    const onDisk = await this.#unchangedOnDisk()
    if (!onDisk || onDisk.bytes - onDisk.whole > Math.max(LEAST_STEPS_BYTES, onDisk.whole)) return this.#writeWhole()
    const line = Buffer.from(lineOf(changes))
    await appendFile(path, line)
    this.#onDisk = { ...onDisk, bytes: onDisk.bytes + line.length }
    this.#options.onWritten?.(line.length)
  }

  /** undefined when another process changed or deleted the file. */
  async #unchangedOnDisk() {
    if (!this.#onDisk) return undefined
    const found = await stat(this.#options.path).catch(() => undefined)
    return found?.ino === this.#onDisk.inode && found.size === this.#onDisk.bytes ? this.#onDisk : undefined
  }

  async #writeWhole() {
    const { path } = this.#options
    const whole = Buffer.from(wholeOf(this.#tree))
    const temporary = `${path}.new`
    await mkdir(dirname(path), { recursive: true })
    await writeFile(temporary, whole, { mode: 0o600 })
    await rename(temporary, path)
    this.#onDisk = { inode: (await stat(path)).ino, bytes: whole.length, whole: whole.length }
    this.#options.onWritten?.(whole.length)
  }
}
