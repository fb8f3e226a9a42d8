import { runServices } from '@prosa/kernel/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { automation } from './automation.ts'

await runServices(() => [automation], readSide)
