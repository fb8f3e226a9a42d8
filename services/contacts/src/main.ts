import { runServices } from '@prosa/kernel/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { contacts } from './contacts.ts'

await runServices(() => [contacts], readSide)
