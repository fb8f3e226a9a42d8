import type { WriteStream } from 'node:tty'

export type Terminal = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

export interface Progress {
  events: number
  /** Of the last event; undefined before the first. */
  time: string | undefined
  /** Where the share counts from and to; without an end there is none. */
  first: string | undefined
  end: number | undefined
  speed: number | undefined
}

const barMs = 200
const lineMs = 5000
const barWidth = 20
const clearLine = '\r\u001b[K'

const durationOf = (seconds: number): string => {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3600)} h`
}

const shareOf = ({ first, time, end }: Progress): number | undefined => {
  if (first === undefined || time === undefined || end === undefined) return undefined
  const span = end - Date.parse(first)
  return span <= 0 ? 1 : Math.min(1, Math.max(0, (Date.parse(time) - Date.parse(first)) / span))
}

/** `████████░░░░░░░░░░░░  42 % · 1.234.567 eventos · 23.456/s · até 12/11/2026 14:03 · faltam 2 min` */
export const progressLine = (
  progress: Progress,
  atFirst: { events: number; share: number | undefined },
  elapsedMs: number,
): string => {
  const { events, time, speed, end } = progress
  const rate = Math.round(((events - atFirst.events) / Math.max(1, elapsedMs)) * 1000)
  const share = shareOf(progress)
  const parts: string[] = []
  if (share !== undefined) {
    const filled = Math.round(share * barWidth)
    parts.push(`${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${String(Math.floor(share * 100)).padStart(3)} %`)
  }
  parts.push(`${events.toLocaleString('pt-BR')} eventos`, `${rate.toLocaleString('pt-BR')}/s`)
  if (time !== undefined) parts.push(`até ${time.slice(0, 16).replace('T', ' ')}`)
  const done = share !== undefined ? share - (atFirst.share ?? 0) : 0
  if (speed !== undefined && end !== undefined && time !== undefined)
    parts.push(`faltam ${durationOf((end - Date.parse(time)) / 1000 / speed)}`)
  else if (share !== undefined && done > 0)
    parts.push(`faltam ${durationOf(((1 - share) / done) * (elapsedMs / 1000))}`)
  return parts.join(' · ')
}

/** One redrawn line in a terminal, else a line every 5 seconds. `report` writes a sentence above it. */
export const showProgress = (terminal: Terminal, now: () => Progress) => {
  const atFirst = { events: now().events, share: shareOf(now()) }
  const began = performance.now()
  let isDrawn = false
  let shown = atFirst.events
  const clear = () => {
    if (isDrawn) terminal.write(clearLine)
    isDrawn = false
  }
  const draw = () => {
    const { events } = now()
    if (!terminal.isTTY && events === shown) return
    shown = events
    const line = progressLine(now(), atFirst, performance.now() - began)
    // A wrapped line could not be redrawn.
    terminal.write(terminal.isTTY ? clearLine + line.slice(0, (terminal.columns ?? 80) - 1) : `${line}\n`)
    isDrawn = terminal.isTTY === true
  }
  const timer = setInterval(draw, terminal.isTTY ? barMs : lineMs)
  timer.unref()
  return {
    report(sentence: string) {
      clear()
      terminal.write(`${sentence}\n`)
    },
    end() {
      clearInterval(timer)
      clear()
    },
  }
}
