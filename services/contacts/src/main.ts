import { runServices } from '@prosa/kernel/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { contactsAt } from './contacts.ts'

await runServices(({ trustedOrigins }) => [contactsAt(trustedOrigins[0])], readSide)
