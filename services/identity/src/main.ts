import { runServices } from '@prosa/product/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { wireIdentity } from './wire-identity.ts'

await runServices((config) => [wireIdentity(config)], readSide)
