import { runServices } from '@prosa/product/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { webhooksAt } from './webhooks/webhooks-service.ts'
import { wireStreams } from './wire-streams.ts'

await runServices((config) => [wireStreams(config), webhooksAt({ reach: config.reach })], readSide)
