import { runServices } from '@prosa/product/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { contactsAt } from './contacts.ts'

await runServices(({ trustedOrigins }) => [contactsAt(trustedOrigins[0])], readSide)
