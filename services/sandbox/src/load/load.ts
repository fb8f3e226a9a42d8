/**
 * Load driver: N linked numbers of N tenants, M people each, who write at a rate; attendants answer once. Reports latency, losses and
 * duplicates.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { concurrencyLimit } from '@prosa/kernel/async/concurrency-limit'
import { examplePicture } from '../demo/example-picture.ts'
import { Attendant } from './attendant.ts'
import type { Network, NetworkPhone, Picture } from './network.ts'
import { ProductClient } from './product-client.ts'
import { Direction, type DirectionReport } from './tally.ts'
import { isAnswer, numberIn, questionOf } from './texts.ts'

export interface LoadPlan {
  numbers: number
  contacts: number
  /** Messages a second, in total. */
  rate: number
  seconds: number
  /** Share of pictures, 0 to 1. */
  pictures: number
  answers: boolean
}

export interface LoadReport {
  plan: LoadPlan
  linkedInSeconds: number
  /** From the person's phone until an attendant read it over the API. */
  inbound: DirectionReport
  /** From the attendant's request until it is on the person's phone. */
  outbound: DirectionReport
}

export interface LoadOptions extends LoadPlan {
  productUrl: string
  network: Network
  progress?: (line: string) => void
  /** Gives up after so many seconds without an arrival. */
  timeoutSeconds?: number
}

const PROGRESS_MS = 1000
const LINKING_AT_ONCE = 5

interface Line {
  phone: NetworkPhone
  attendant: Attendant
  people: NetworkPhone[]
}

interface Load {
  options: LoadOptions
  /** Part of the phone numbers and addresses, so that runs do not meet. */
  run: string
  total: number
  inbound: Direction
  outbound: Direction
  picture: Picture
  over: AbortSignal
  isPicture(number: number): boolean
  failed(error: unknown): void
}

const linkLine = async (load: Load, line: number): Promise<Line> => {
  const { options, run, inbound, outbound, picture, over, isPicture, failed } = load
  const { network, productUrl, contacts, answers } = options
  const digits = String(line).padStart(2, '0')
  const phone = await network.addPhone(`55119${run}${digits}`, `Loja ${line}`)
  const client = new ProductClient(productUrl)
  const email = `carga-${run}-${line}-${process.pid}@example.com`
  await client.register({ firstName: 'Carga', lastName: digits, email, password: `carga ${run} ${line} segura` })
  const attendant = new Attendant({
    client,
    over,
    failed,
    isPicture,
    picture: picture.bytes,
    received: (number) => inbound.arrive(number, performance.now()),
    answered: answers ? (number) => outbound.leave(number, performance.now()) : undefined,
  })
  await attendant.link(phone, `Loja ${line}`)
  const people: NetworkPhone[] = []
  for (let person = 0; person < contacts; person++) {
    const own = String(person).padStart(4, '0')
    people.push(await network.addPhone(`55${21 + line}9${run.slice(2)}${own}`, `Pessoa ${line}.${person}`))
  }
  return { phone, attendant, people }
}

const writeQuestions = async (
  { options, total, inbound, picture, isPicture, failed }: Load,
  lines: readonly Line[],
) => {
  const { numbers, contacts, rate } = options
  const start = performance.now()
  for (let number = 0; number < total; number++) {
    const wait = start + (number * 1000) / rate - performance.now()
    if (wait > 1) await delay(wait)
    const line = lines[number % numbers]
    const person = line?.people[Math.floor(number / numbers) % contacts]
    if (!line || !person) throw new Error('a number without people')
    inbound.leave(number, performance.now())
    const text = questionOf(number)
    const sending = isPicture(number)
      ? person.sendPicture(line.phone.number, picture, text)
      : person.sendText(line.phone.number, text)
    sending.catch(failed)
  }
}

/** Throws when numbers cannot be linked; losses are in the report. Removes the phones at the end. */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { network, numbers, contacts, rate, seconds, pictures, answers } = options
  const { progress = () => undefined, timeoutSeconds = 30 } = options
  const total = Math.round(rate * seconds)
  const [inbound, outbound] = [new Direction(total), new Direction(total)]
  const over = new AbortController()
  let failures = 0
  const load: Load = {
    ...{ options, total, inbound, outbound, over: over.signal },
    run: String(Date.now() % 1_000_000).padStart(6, '0'),
    picture: { kind: 'image', bytes: examplePicture(0), mediaType: 'image/png' },
    isPicture: (number) => Math.floor((number + 1) * pictures) > Math.floor(number * pictures),
    failed(error) {
      failures++
      if (failures <= 5) progress(`refused: ${(error as Error).message}`)
    },
  }

  await network.listen((_number, { text }) => {
    const number = numberIn(text)
    if (number !== undefined && isAnswer(text)) outbound.arrive(number, performance.now())
  })

  const lines: Line[] = []
  const began = performance.now()
  const linking = concurrencyLimit({ atOnce: LINKING_AT_ONCE })
  const link = async (line: number) => {
    lines.push(await linkLine(load, line))
    progress(`linked ${lines.length} of ${numbers} numbers`)
  }
  await Promise.all(Array.from({ length: numbers }, (_, line) => linking.run(() => link(line))))
  const linkedInSeconds = (performance.now() - began) / 1000

  const report = setInterval(() => {
    progress(
      `written ${inbound.sent} of ${total}, read ${inbound.arrived}, answered ${outbound.sent}, ` +
        `answers received ${outbound.arrived}, refused ${failures}`,
    )
  }, PROGRESS_MS)
  try {
    await writeQuestions(load, lines)
    const moved = () => inbound.arrived + outbound.sent + outbound.arrived
    await stillness(moved, timeoutSeconds, () => inbound.isComplete && (!answers || outbound.arrived >= total))
    // Pushes and pages may repeat messages; only the final history counts.
    const counts = new Uint8Array(total)
    for (const { attendant } of lines) await attendant.count(counts)
    inbound.recount(counts)
  } finally {
    clearInterval(report)
    over.abort()
    await network.close()
  }
  const plan = { numbers, contacts, rate, seconds, pictures, answers }
  return { plan, linkedInSeconds, inbound: inbound.report(), outbound: outbound.report() }
}

async function stillness(moved: () => number, timeoutSeconds: number, isDone: () => boolean) {
  let before = moved()
  let since = performance.now()
  while (!isDone()) {
    await delay(50)
    const now = moved()
    if (now !== before) since = performance.now()
    else if (performance.now() - since > timeoutSeconds * 1000) return
    before = now
  }
}
