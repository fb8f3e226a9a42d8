import { z } from 'zod'
import { contactId, id, userId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { readingKind, readingPurpose } from '../values/reading.ts'

/** Stream `parkedWork-<id>`: one for each key that a reactor, timer or projection could not serve. */
export const operationsEvents = {
  /** A worker gave a key up for now: what comes for the key waits in line until an administrator decides. */
  WorkParked: z.object({
    /** `reactor <name>`, `timer <kind>` or `projection <name>` */
    worker: z.string(),
    /** Names this time of being parked: decisions about an earlier one no longer count. */
    parkingId: id,
    /** The event that could not be handled. */
    eventId: id.nullable(),
    /** The stream of that event; absent where there is none, and in what was recorded before it was noted. */
    stream: z.string().optional(),
    /** The error's name; its message may hold personal data and stays out of the log. */
    errorName: z.string(),
    attempts: z.number().int().nonnegative(),
  }),
  /** An administrator had the parked work tried again. */
  WorkRetried: z.object({ parkingId: id, stream: z.string().optional() }),
  /**
   * An administrator gave the failing event up, for the reason in the metadata: it is skipped for ever, the key goes on. A
   * projection whose later version can fold it shows it then.
   */
  WorkReleased: z.object({ parkingId: id, eventId: id.nullable(), stream: z.string().optional() }),
  /** Everything that waited in line was handled: the key is served as before. */
  WorkResumed: z.object({ parkingId: id }),
}

/** An account; null: what belongs to all of them, or to none. */
const tenantId = userId.nullable()

/**
 * The stream `tenantReading-<user id>:<tenant, or all>:<day>`: what an administrator read on one day. Those of before decision
 * 0059 are named `tenantReading-<user id>:<list>`.
 */
export const tenantReadingEvents = {
  /** An administrator said why they need to see personal data of this tenant. In their own words: the reason in the metadata. */
  ReadingPurposeStated: z.object({
    tenantId,
    purposeId: id,
    purpose: readingPurpose,
    /** It counts for less than an hour from here. */
    at: instant,
  }),
  /** An administrator read this: once for each purpose, and before anything was shown. */
  PersonalDataRead: z.object({
    tenantId,
    purposeId: id,
    what: readingKind,
    /** `order:<id>`, as the history names it; null where it was a list. */
    record: z.string().nullable(),
    at: instant,
  }),
  /** An administrator read this list, or had it as a file, in a release before 0059: once for every 15 minutes. */
  TenantsRead: z.object({
    list: z.enum(['contacts', 'messages', 'contacts_file', 'messages_file', 'history']),
    at: instant,
  }),
}

/** The stream `dataExport-<user id>:<export id>`: one copy that somebody asked for of what is stored about this account. */
export const dataExportEvents = {
  /** The user, or an administrator, was given leave to download all of the account's data: recorded before any of it is read. */
  AccountExported: z.object({ by: z.enum(['user', 'administrator']) }),
  /** The user was given leave to download what is stored about one contact: recorded before any of it is read. */
  ContactExported: z.object({ contactId }),
}

/** The stream `readModelRebuild-<read model>`: what administrators asked for, and what became of it. */
export const readModelRebuildEvents = {
  /** An administrator asked for a read model to be built anew from the log, beside the one that is shown. */
  ReadModelRebuildRequested: z.object({
    /** Names this time: what reports its end repeats it. */
    rebuildId: id,
    readModel: z.string(),
  }),
  /** What was built anew after a request has taken the place of what was shown before. */
  ReadModelRebuilt: z.object({ rebuildId: id, readModel: z.string() }),
}
