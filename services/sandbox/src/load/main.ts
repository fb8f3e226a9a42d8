/** `npm run load -- --numbers 5 --contacts 20 --rate 50 --seconds 20`, against a running development Prosa. */
import { parseArgs } from 'node:util'
import { ControlClient, networkThere } from './control-client.ts'
import { runLoad } from './load.ts'
import type { DirectionReport } from './tally.ts'

const USAGE = `npm run load -- [--numbers 5] [--contacts 20] [--rate 50] [--seconds 20] [--pictures 0.1] [--no-answers]
                [--url http://127.0.0.1:3000] [--phones http://127.0.0.1:3000/api/simulador]`

const { values } = parseArgs({
  options: {
    numbers: { type: 'string', default: '5' },
    contacts: { type: 'string', default: '20' },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
    pictures: { type: 'string', default: '0' },
    'no-answers': { type: 'boolean', default: false },
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    phones: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

function numberOf(name: 'numbers' | 'contacts' | 'rate' | 'seconds' | 'pictures', least: number, max: number): number {
  const value = Number(values[name])
  if (!(value >= least && value <= max)) throw new Error(`--${name} is a number from ${least} to ${max}\n${USAGE}`)
  return value
}

const line = (what: string, { sent, arrived, lost, doubled, late }: DirectionReport) => ({
  what,
  sent,
  arrived,
  lost,
  doubled,
  'p50 ms': Math.round(late.p50),
  'p99 ms': Math.round(late.p99),
  'max ms': Math.round(late.max),
})

if (values.help) {
  console.log(USAGE)
} else {
  const { url, phones = `${url}/api/simulador` } = values
  const report = await runLoad({
    productUrl: url,
    network: networkThere(new ControlClient(phones)),
    numbers: numberOf('numbers', 1, 78),
    contacts: numberOf('contacts', 1, 5000),
    rate: numberOf('rate', 0.1, 10_000),
    seconds: numberOf('seconds', 1, 86_400),
    pictures: numberOf('pictures', 0, 1),
    answers: !values['no-answers'],
    progress: (text) => console.log(text),
  })
  console.log(`${report.plan.numbers} numbers linked in ${report.linkedInSeconds.toFixed(1)} s`)
  console.table([line('to the attendant', report.inbound), line('to the phone', report.outbound)])
  const { inbound, outbound } = report
  process.exitCode = inbound.lost + inbound.doubled + outbound.lost + outbound.doubled === 0 ? 0 : 1
}
