import { z } from 'zod'
import { contactId, id, userId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { keyReach, keyScope } from '../values/key.ts'
import { erasedText, personal } from '../values/personal.ts'
import { readingKind, readingPurpose } from '../values/reading.ts'

/** Stream `parkedWork-<id>`: one per unhandled key. */
export const operationsEvents = {
  /** A worker parked a key: its events wait for a decision. */
  WorkParked: z.object({
    /** `reactor <name>`, `timer <kind>` or `projection <name>` */
    worker: z.string(),
    parkingId: id,
    /** The event that failed. */
    eventId: id.nullable(),
    /** Absent without an event, and in older records. */
    stream: z.string().optional(),
    /** The message may hold personal data. */
    errorName: z.string(),
    attempts: z.number().int().nonnegative(),
  }),
  /** An administrator requested a retry. */
  WorkRetried: z.object({ parkingId: id, stream: z.string().optional() }),
  /** An administrator skipped the failing event; the key continues. A later projection version may show it. */
  WorkReleased: z.object({ parkingId: id, eventId: id.nullable(), stream: z.string().optional() }),
  /** All waiting events were handled. */
  WorkResumed: z.object({ parkingId: id }),
}

/** Null: all tenants, or none. */
const tenantId = userId.nullable()

/** Stream `tenantReading-<user id>:<tenant, or all>:<day>`; before docs/decisions/0059 `tenantReading-<user id>:<list>`. */
export const tenantReadingEvents = {
  /** An administrator stated why; details are the metadata's reason. */
  ReadingPurposeStated: z.object({
    tenantId,
    purposeId: id,
    purpose: readingPurpose,
    /** Valid for an hour from here. */
    at: instant,
  }),
  /** An administrator read this; once per purpose, before the reply. */
  PersonalDataRead: z.object({
    tenantId,
    purposeId: id,
    what: readingKind,
    /** `order:<id>`; null for a list. */
    record: z.string().nullable(),
    at: instant,
  }),
  /** An administrator read this list before docs/decisions/0059; once per 15 minutes. */
  TenantsRead: z.object({
    list: z.enum(['contacts', 'messages', 'contacts_file', 'messages_file', 'history']),
    at: instant,
  }),
}

/** Stream `dataExport-<user id>:<export id>`. */
export const dataExportEvents = {
  /** An account's export was allowed; recorded before reading. */
  AccountExported: z.object({ by: z.enum(['user', 'administrator']) }),
  /** A contact's export was allowed; recorded before reading. */
  ContactExported: z.object({ contactId }),
}

/** Stream `apiKey-<user id>:<key id>`. */
export const apiKeyEvents = {
  /** A user made a key for programs; the secret itself was shown once and is not stored. */
  ApiKeyCreated: z.object({
    name: personal(z.string(), erasedText),
    reach: keyReach,
    scopes: z.array(keyScope),
    /** Own personal data too, as the user asked. */
    withPersonal: z.boolean(),
    /** SHA-256, hexadecimal. */
    secretHash: z.string(),
    expiresAt: instant,
  }),
  /** The user revoked it. */
  ApiKeyRevoked: z.object({}),
}

/** Stream `streamExport-<user id>:<key id>:<day>`; the key is the account itself where its browser read, signed in. */
export const streamExportEvents = {
  /** A key, or a signed-in browser, began to read published events, or a table made of them; recorded before the reply, once an hour for the same question. */
  StreamExported: z.object({
    keyId: id,
    services: z.array(z.string()),
    types: z.array(z.string()),
    /** Absent: events. */
    table: z.string().optional(),
    /** Pseudonym asked for; null: all that the key may see. */
    tenant: z.string().nullable(),
    since: instant.nullable(),
    until: instant.nullable(),
    /** Goes on with what is recorded later. */
    isLive: z.boolean(),
    withPersonal: z.boolean(),
    at: instant,
  }),
  /** A key used the public API; recorded before the reply, once an hour for the same scope. */
  ApiKeyUsed: z.object({ keyId: id, scope: keyScope, at: instant }),
}

/** Stream `readModelRebuild-<read model>`. */
export const readModelRebuildEvents = {
  /** An administrator requested a rebuild. */
  ReadModelRebuildRequested: z.object({
    rebuildId: id,
    readModel: z.string(),
  }),
  /** The rebuilt read model is active. */
  ReadModelRebuilt: z.object({ rebuildId: id, readModel: z.string() }),
}
