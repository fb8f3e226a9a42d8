import { runServices } from '@prosa/kernel/process/run-services'
import { readSide } from './read-side.ts'
import { wireProjections } from './wire-projections.ts'

await runServices((config) => [wireProjections(config)], readSide)
