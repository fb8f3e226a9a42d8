import { joinLockSessions } from '../postgres/lock-session.ts'

const silenceMs = 15_000

/** Leave to copy one account's data, until it is given back. */
export interface ExportTurn {
  /** Aborts when another process may have got the turn. */
  lost: AbortSignal
  giveBack(): Promise<void>
}

/** One copy of an account's data at a time, over all processes: a turn ends with the process that has it. */
interface ExportTurns {
  /** Undefined while somebody else has it. */
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
