import { runServices } from '@prosa/product/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { automation } from './automation.ts'

await runServices(() => [automation], readSide)
