import type { Refusal } from '@prosa/contracts/refusals'
import { Counter, type Registry } from 'prom-client'

export const refusalCounter = (registry: Registry): ((refusal: Refusal) => void) => {
  const counter = new Counter({
    name: 'prosa_refusals_total',
    help: 'Requests that were refused, by the name of the refusal.',
    labelNames: ['refusal'],
    registers: [registry],
  })
  return (refusal) => counter.inc({ refusal })
}
