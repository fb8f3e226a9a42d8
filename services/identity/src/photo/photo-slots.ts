import { Refused } from '@prosa/kernel/http/problem'

/** Per process, up to 5 MB each. */
const maxConcurrent = 16
const retryAfterSeconds = 10

export const photosBusy = () => new Refused('photos_busy', undefined, retryAfterSeconds)

export interface PhotoSlots {
  /**
   * Returns the release. A repetition, which has the same idempotency key, waits for the first; throws `photos_busy` at another one of the
   * account, or beyond all.
   */
  take(userId: string, key: string | undefined): Promise<() => void>
}

interface Taken {
  key: string | undefined
  released: Promise<void>
}

export const photoSlots = (): PhotoSlots => {
  const taken = new Map<string, Taken>()
  return {
    async take(userId, key) {
      for (let other = taken.get(userId); other; other = taken.get(userId)) {
        if (key === undefined || other.key !== key) throw photosBusy()
        await other.released
      }
      if (taken.size >= maxConcurrent) throw photosBusy()
      return new Promise((taking) => {
        const released = new Promise<void>((release) => {
          taking(() => {
            taken.delete(userId)
            release()
          })
        })
        taken.set(userId, { key, released })
      })
    },
  }
}
