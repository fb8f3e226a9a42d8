import { joinLockSessions } from '../postgres/lock-session.ts'

const silenceMs = 15_000

export interface ExportTurn {
  /** Aborts when another process may have obtained the lock. */
  lost: AbortSignal
  giveBack(): Promise<void>
}

/** One export per account, over all processes; a dead process loses its lock. */
interface ExportTurns {
  take(userId: string): Promise<ExportTurn | undefined>
  isTaken(userId: string): Promise<boolean>
}

export const exportTurns = (databaseUrl: string): ExportTurns => {
  const take = async (userId: string): Promise<ExportTurn | undefined> => {
    const sessions = joinLockSessions(databaseUrl, silenceMs)
    const name = `data export of ${userId}`
    try {
      const session = await sessions.current()
      if (await session.take(name)) {
        const giveBack = async () => {
          await session.give(name)
          await sessions.leave()
        }
        return { lost: session.lost, giveBack }
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
      const turn = await take(userId)
      await turn?.giveBack()
      return turn === undefined
    },
  }
}
