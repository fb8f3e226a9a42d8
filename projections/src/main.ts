import { runServices } from '@prosa/product/process/run-services'
import { readSide } from './read-side.ts'
import { wireProjections } from './wire-projections.ts'

await runServices((config) => [wireProjections(config)], readSide)
