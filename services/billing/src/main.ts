import { runServices } from '@prosa/kernel/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { wireBilling } from './wire-billing.ts'

await runServices((config) => [wireBilling(config)], readSide)
