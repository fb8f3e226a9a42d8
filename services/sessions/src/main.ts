import { runServices } from '@prosa/product/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { wireSessions } from './wire-sessions.ts'

await runServices((config) => wireSessions(config), readSide)
