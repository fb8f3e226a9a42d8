import { runServices } from '@prosa/product/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { wireStreams } from './wire-streams.ts'

await runServices((config) => [wireStreams(config)], readSide)
