/** As text, as in an address. */
export const lastDays = ['1', '7', '30'] as const

export type LastDays = (typeof lastDays)[number]
