import { localTimeAt } from '@prosa/contracts/values/time/local-time'
import { defaultTimeZone } from '@prosa/contracts/values/time/time-zone'

/** Opens for one hour, hours from now. */
export const closedNow = () => {
  const { hour } = localTimeAt(defaultTimeZone, Date.now())
  const open = hour < 12 ? { from: '18:00', to: '19:00' } : { from: '06:00', to: '07:00' }
  return { timeZone: defaultTimeZone, week: Array.from({ length: 7 }, () => [open]), holidays: [] }
}

export const openAlways = () => ({
  ...closedNow(),
  week: Array.from({ length: 7 }, () => [{ from: '00:00', to: '24:00' }]),
})
