import { runServices } from '@prosa/kernel/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { wireSessions } from './wire-sessions.ts'

await runServices((config) => wireSessions(config), readSide)
