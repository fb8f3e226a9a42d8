import type { WriteStream } from 'node:tty'
import type { Logger } from '../../../observability/log.ts'
import type { ConsumerStatuses, RebuildProgress } from '../../engine/consumer-status.ts'

const barMs = 200
const lineMs = 5000
const barWidth = 24
const clearLine = '\r\u001b[K'

const shareOf = ({ done, total }: RebuildProgress) => (total === 0 ? 1 : done / total)

/** `contact-list ████████████░░░░░░░░░░░░  50 % (250,000 of 500,000)` */
export const progressBar = (name: string, progress: RebuildProgress): string => {
  const filled = Math.round(shareOf(progress) * barWidth)
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
  const percent = String(Math.floor(shareOf(progress) * 100)).padStart(3)
  const [done, total] = [progress.done, progress.total].map((number) => number.toLocaleString('en'))
  return `${name} ${bar} ${percent} % (${done} of ${total})`
}

export type Terminal = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

/** One redrawn line in a terminal, else a log line every 5 seconds. */
export const showProgress = (
  statuses: ConsumerStatuses,
  { log, terminal }: { log: Logger; terminal: Terminal },
  signal: AbortSignal,
): void => {
  const rebuilding = () =>
    [...statuses].flatMap(([name, { progress }]) => (progress ? [{ name, progress: { ...progress } }] : []))

  let isDrawn = false
  const draw = () => {
    const bars = rebuilding().map(({ name, progress }) => progressBar(name, progress))
    // A wrapped line could not be redrawn.
    if (bars.length > 0) terminal.write(clearLine + bars.join('  ').slice(0, (terminal.columns ?? 80) - 1))
    else if (isDrawn) terminal.write(clearLine)
    isDrawn = bars.length > 0
  }
  const logProgress = () => {
    for (const { name, progress } of rebuilding()) log.info({ projection: name, ...progress }, 'rebuilding')
  }

  const timer = terminal.isTTY ? setInterval(draw, barMs) : setInterval(logProgress, lineMs)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}
