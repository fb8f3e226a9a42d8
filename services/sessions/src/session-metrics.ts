import type { Metric } from '@prosa/kernel/observability/metric'
import { type LineState, lineStates } from './line/line-machine.ts'

interface SessionNumbers {
  states: readonly LineState[]
  linesWaiting: number
  factsWaiting: number
  undecrypted: number
}

export const sessionMetrics = ({ states, linesWaiting, factsWaiting, undecrypted }: SessionNumbers): Metric[] => [
  ...lineStates.map((state): Metric => {
    const value = states.filter((each) => each === state).length
    const help = 'WhatsApp lines that run in this process, by state.'
    return { name: 'prosa_whatsapp_lines', help, kind: 'gauge', value, labels: { state } }
  }),
  {
    name: 'prosa_whatsapp_lines_waiting',
    help: 'WhatsApp lines of this process that are to be linked and wait for a slot.',
    kind: 'gauge',
    value: linesWaiting,
  },
  {
    name: 'prosa_whatsapp_facts_waiting',
    help: 'What WhatsApp sent and could not be stored yet.',
    kind: 'gauge',
    value: factsWaiting,
  },
  {
    name: 'prosa_whatsapp_undecrypted_total',
    help: 'Times that a message came and could not be decrypted; its sender is asked for it again, a few times.',
    kind: 'counter',
    value: undecrypted,
  },
]
