import { runServices } from '@prosa/kernel/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { wireIdentity } from './wire-identity.ts'

await runServices((config) => [wireIdentity(config)], readSide)
