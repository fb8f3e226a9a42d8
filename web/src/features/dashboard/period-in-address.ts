import { type LastDays, lastDays } from '@prosa/contracts/values/time/last-days'
import { useSearchParams } from 'react-router-dom'
import type { Period } from './api.ts'

const words: Record<LastDays, string> = { '1': 'hoje', '7': '7-dias', '30': '30-dias' }

const daysIn = (word: string | null): LastDays | undefined => lastDays.find((days) => words[days] === word)

/** In the address: `?periodo=30-dias`, or `?de=2026-11-16&ate=2026-11-22`. */
export const usePeriod = () => {
  const [address, setAddress] = useSearchParams()
  const [from, to] = [address.get('de'), address.get('ate')]
  const days = daysIn(address.get('periodo'))
  const period: Period = days ? { days } : from === null && to === null ? null : { from: from ?? '', to: to ?? '' }
  const go = (of: Record<string, string>) => setAddress(of, { preventScrollReset: true })
  return {
    period,
    /** Null: dates were chosen. */
    lastDays: period === null ? '7' : (days ?? null),
    setDates: ({ from: de, to: ate }: { from: string; to: string }) => go({ de, ate }),
    setLastDays: (chosen: LastDays) => go({ periodo: words[chosen] }),
  }
}

/** One day of the period, by its hours. */
export const dayAddress = (day: string): string => `?${new URLSearchParams({ de: day, ate: day })}`
