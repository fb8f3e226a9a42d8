/** Keeps a snapshot in one JSON file, and lets nothing out before what led to it is in that file. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Least time between two saves; while one takes longer than this, they leave as much time again to everything else. */
const PAUSE_MS = 20
const RETRY_MS = 1000

export interface StateFileOptions {
  path: string
  /** Called in one synchronous step, so that a snapshot is never half a change. */
  snapshot(): unknown
  onFailure(error: unknown): void
}

/** What the file holds, or undefined when there is none yet. Throws when it cannot be read as JSON. */
export function readStateFile(path: string): unknown {
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`the sandbox state in ${path} is damaged; delete the file to start anew`, { cause: error })
  }
}

export class StateFile {
  readonly #options: StateFileOptions
  #held: (() => void)[] = []
  #saved = ''
  #lastSaveAt = 0
  #lastSaveMs = 0
  #timer?: NodeJS.Timeout
  #saving: Promise<void> | undefined
  #changedMeanwhile = false
  #resting = false

  constructor(options: StateFileOptions) {
    this.#options = options
  }

  /** Something changed that must reach the file soon (within about 20 ms and the time of one write). */
  touch() {
    if (this.#resting) return
    if (this.#saving) this.#changedMeanwhile = true
    else this.#schedule(this.#lastSaveAt + Math.max(PAUSE_MS, this.#lastSaveMs) - Date.now())
  }

  /** Runs `effect` as soon as everything that happened before this call is on disk; effects keep their order. */
  release(effect: () => void) {
    this.#held.push(effect)
    this.touch()
  }

  /** Resolves when everything that happened before this call is on disk. */
  saved(): Promise<void> {
    return new Promise((resolve) => {
      this.#held.push(resolve)
      if (this.#saving) this.#changedMeanwhile = true
      else this.#schedule(0)
    })
  }

  /** Saves, then leaves the file alone until wake(): another process may own it now. */
  async rest() {
    await this.saved()
    this.#resting = true
  }

  wake() {
    this.#resting = false
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
    const held = this.#held
    this.#held = []
    this.#changedMeanwhile = false
    let failed = false
    const began = Date.now()
    try {
      await this.#write(JSON.stringify(this.#options.snapshot()))
    } catch (error) {
      failed = true
      this.#held = [...held, ...this.#held]
      this.#options.onFailure(error)
    }
    this.#saving = undefined
    this.#lastSaveAt = Date.now()
    this.#lastSaveMs = this.#lastSaveAt - began
    if (failed) return this.#schedule(RETRY_MS)
    for (const effect of held) effect()
    if (this.#held.length || this.#changedMeanwhile) this.touch()
  }

  async #write(text: string) {
    if (text === this.#saved) return
    const { path } = this.#options
    const temporary = `${path}.new`
    await mkdir(dirname(path), { recursive: true })
    await writeFile(temporary, text, { mode: 0o600 })
    await rename(temporary, path)
    this.#saved = text
  }
}
