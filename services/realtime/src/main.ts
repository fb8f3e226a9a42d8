import { runServices } from '@prosa/product/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { wireRealtime } from './wire-realtime.ts'

await runServices((config) => [wireRealtime(config)], readSide)
