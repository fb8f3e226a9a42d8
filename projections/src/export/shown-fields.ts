/** Not shown to people, and why. */
export interface LeftOut {
  leftOut: string
}

export const leftOut = (reason: string): LeftOut => ({ leftOut: reason })

type Shown<T, F extends keyof T> =
  | string
  | LeftOut
  /** Undefined is omitted. */
  | readonly [name: string, shown: (value: T[F], whole: T) => unknown]

/** A field of the contract that is neither shown nor left out does not compile. */
export type ShownFields<T> = { [F in keyof T]-?: Shown<T, F> }

export const shownBy =
  <T extends object>(fields: ShownFields<T>) =>
  (whole: T): Record<string, unknown> => {
    const shown: Record<string, unknown> = {}
    for (const field in fields) {
      const as: Shown<T, typeof field> = fields[field]
      if (typeof as === 'object' && 'leftOut' in as) continue
      const [name, value] = typeof as === 'string' ? [as, whole[field]] : [as[0], as[1](whole[field], whole)]
      if (value !== undefined) shown[name] = value
    }
    return shown
  }
