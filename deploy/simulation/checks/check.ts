import type { Pool } from 'pg'
import type { Town } from '../history/town.ts'
import { theDatabase } from '../platform/database.ts'
import { inProcess, theWorld } from '../platform/world.ts'
import { whatIsLeftOfErased } from './erasures.ts'
import { readHappened } from './happened.ts'
import { wrongMessages } from './messages.ts'
import { strayPurchases } from './purchases.ts'
import { wrongReadModels } from './read-models.ts'
import { repeatedReplies } from './replies.ts'
import { runsThatWait } from './runs.ts'
import { wrongScreens } from './screens.ts'

/** The simulation makes no lasting faults, so any parked key is a defect. */
const parkedKeys = async (): Promise<string[]> => {
  const rows = await theDatabase().ask<{ worker: string; message: string }>('select worker, message from parked_work')
  return rows.map(({ worker, message }) => `${worker} has parked a key: ${message}`)
}

const pool = { query: async (text: string) => ({ rows: await theDatabase().ask(text) }) } as unknown as Pool

export const problemsOf = async (town: Town, models: readonly { name: string }[]): Promise<string[]> => {
  const [process] = town.cluster.alive
  if (!process) throw new Error('no process is left to ask')
  const happened = await inProcess(process.process, () => readHappened(process.ports))
  const world = theWorld()
  return [
    ...(await world.meanwhileNothing(parkedKeys)),
    ...wrongMessages(happened, town),
    ...repeatedReplies(happened),
    ...runsThatWait(happened),
    ...strayPurchases(happened, town),
    ...(await world.meanwhileNothing(() => whatIsLeftOfErased(happened, town))),
    ...(await world.meanwhileNothing(() => wrongReadModels(happened, pool, models))),
    ...(await wrongScreens(town)),
  ]
}
