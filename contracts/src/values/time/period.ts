import { z } from 'zod'

const unreadableDay = 'Informe uma data válida.'

/** '2026-11-16', in the tenant's time zone. */
export const periodDay = z.iso
  .date({ error: unreadableDay, abort: true })
  .refine((text) => text >= '2000-01-01' && text <= '2199-12-31', { error: unreadableDay })

/** Counts both ends. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

interface Refusing {
  addIssue(issue: { code: 'custom'; path: string[]; message: string; input: undefined }): void
}

/** Refuses one day without the other, days in the wrong order, and more of them than `maxDays`. */
export const checkPeriod =
  (maxDays: number) =>
  ({ from, to }: { from?: string | undefined; to?: string | undefined }, refusal: Refusing): void => {
    const refuse = (field: 'from' | 'to', message: string) =>
      refusal.addIssue({ code: 'custom', path: [field], message, input: undefined })
    if (from === undefined && to !== undefined) refuse('from', 'Informe a data inicial.')
    if (from !== undefined && to === undefined) refuse('to', 'Informe a data final.')
    if (from === undefined || to === undefined) return
    if (to < from) refuse('to', 'A data final vem antes da inicial.')
    else if (daysBetween(from, to) > maxDays) refuse('to', `O período pode ter no máximo ${maxDays} dias.`)
  }
