import { joinLockSessions } from '@prosa/kernel/postgres/lock-session'

const silenceMs = 15_000

export interface ExportSlot {
  /** Aborts when another process may have obtained the lock. */
  lost: AbortSignal
  release(): Promise<void>
}

/** One export per account, over all processes; a dead process loses its lock. */
interface ExportSlots {
  take(userId: string): Promise<ExportSlot | undefined>
  isTaken(userId: string): Promise<boolean>
}

export const exportSlots = (databaseUrl: string): ExportSlots => {
  const take = async (userId: string): Promise<ExportSlot | undefined> => {
    const sessions = joinLockSessions(databaseUrl, silenceMs)
    const name = `data export of ${userId}`
    try {
      const session = await sessions.current()
      if (await session.take(name)) {
        const release = async () => {
          await session.give(name)
          await sessions.leave()
        }
        return { lost: session.lost, release }
      }
    } catch (error) {
      await sessions.leave()
      throw error
    }
    await sessions.leave()
    return undefined
  }
  return {
    take,
    async isTaken(userId) {
      const slot = await take(userId)
      await slot?.release()
      return slot === undefined
    },
  }
}
