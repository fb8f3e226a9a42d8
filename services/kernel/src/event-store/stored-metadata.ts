import type { EventMetadata } from '@prosa/contracts/events/metadata'
import { withField } from '../with-field.ts'

/*
 * Every log calls the tenant's field `owner` (docs/decisions/0081-tenant.md). It is renamed in the text: that keeps the order of the
 * fields, which digests of logs cover, and no event costs a second object. Quotation marks within values are escaped, and no value of
 * metadata has such a field of its own, so the first match is the field.
 */

/** Metadata as JSON text, to what logs hold. */
export const toStored = (text: string): string => text.replace('"tenant":', '"owner":')

/** Of JSON text that a log holds. */
export const fromStored = (text: string): EventMetadata => JSON.parse(text.replace('"owner":', '"tenant":'))

/** Of what a client has parsed. */
export const fromStoredObject = (stored: object): EventMetadata => withField(stored, 'owner', 'tenant') as EventMetadata
