import { expect, it } from 'vitest'
import { alertChoice, chooseAlerts, wishNotifications } from './alert-choice.ts'

it('what the business wants holds until this browser has chosen, and no other choice counts as that', () => {
  expect(alertChoice()).toEqual({ sound: true, notifications: false })
  wishNotifications(true)
  expect(alertChoice().notifications).toBe(true)
  chooseAlerts({ sound: false })
  wishNotifications(false)
  expect(alertChoice()).toEqual({ sound: false, notifications: false })
  chooseAlerts({ notifications: true })
  wishNotifications(false)
  expect(alertChoice().notifications).toBe(true)
})
