import { progressBar, type Terminal } from '@prosa/kernel/consumers/projections/rebuild/show-progress'

const barMs = 200
const lineMs = 5000
const clearLine = '\r\u001b[K'

/** One redrawn line in a terminal, else a line every 5 seconds. */
export const terminalProgress = (terminal: Terminal) => {
  let shownAt = Number.NEGATIVE_INFINITY
  let isDrawn = false
  return {
    show(phase: string, done: number, total: number) {
      const now = performance.now()
      if (now - shownAt < (terminal.isTTY ? barMs : lineMs)) return
      shownAt = now
      const bar = progressBar(phase, { done, total })
      terminal.write(terminal.isTTY ? clearLine + bar.slice(0, (terminal.columns ?? 80) - 1) : `${bar}\n`)
      isDrawn = terminal.isTTY === true
    },
    end() {
      if (isDrawn) terminal.write(clearLine)
      isDrawn = false
    },
  }
}
