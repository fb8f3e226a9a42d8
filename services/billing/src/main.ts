import { runServices } from '@prosa/product/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { wireBilling } from './wire-billing.ts'

await runServices((config) => [wireBilling(config)], readSide)
