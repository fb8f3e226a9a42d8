import { runServices } from '@prosa/product/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { automationAt } from './automation.ts'

await runServices(({ reach }) => [automationAt({ reach })], readSide)
