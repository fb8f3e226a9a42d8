/** Delay for followers of other categories, who need not wake each time. */
const passingMs = 20

/** Live subscribers that wait for the process's one reader of the log. */
export interface TailWatchers {
  /** Events of these categories came: wakes whom they concern at once, others a moment later, once for all that came. */
  notify(categories: ReadonlySet<string>): void
  /** Also for aborted signals: a listener per wait is expensive. */
  notifyAll(): void
  /** `isOver` is asked at once and at each notification. */
  wait(categories: ReadonlySet<string>, isOver: () => boolean): Promise<void>
}

export const tailWatchers = (): TailWatchers => {
  const watchers = new Map<() => void, ReadonlySet<string>>()
  let passing: ReturnType<typeof setTimeout> | undefined

  const notifyAll = () => {
    for (const notice of [...watchers.keys()]) notice()
  }
  const notifyPassed = () => {
    passing = undefined
    notifyAll()
  }

  return {
    notify(categories) {
      const found = [...categories]
      for (const [notice, wanted] of [...watchers]) if (found.some((category) => wanted.has(category))) notice()
      if (watchers.size > 0 && passing === undefined) passing = setTimeout(notifyPassed, passingMs)
    },
    notifyAll,
    wait: (categories, isOver) =>
      new Promise((resolve) => {
        const notice = () => {
          if (!isOver()) return
          watchers.delete(notice)
          resolve()
        }
        watchers.set(notice, categories)
        notice()
      }),
  }
}
