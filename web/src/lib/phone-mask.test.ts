import { describe, expect, it } from 'vitest'
import { isPhoneComplete, maskPhone, phoneDigits } from './phone-mask.ts'

describe('phone mask', () => {
  it('writes a mobile number as (AA) NNNNN-NNNN', () => expect(maskPhone('11988776655')).toBe('(11) 98877-6655'))

  it('writes a landline as (AA) NNNN-NNNN', () => expect(maskPhone('1138776655')).toBe('(11) 3877-6655'))

  it('masks what is still being typed as far as it goes', () => {
    expect(['', '1', '11', '119', '119887', '1198877'].map(maskPhone)).toEqual([
      '',
      '1',
      '11',
      '(11) 9',
      '(11) 9887',
      '(11) 9887-7',
    ])
  })

  it('lets every mask be deleted digit by digit', () => {
    let digits = '11988776655'
    while (digits !== '') {
      const shorter = phoneDigits(maskPhone(digits).slice(0, -1))
      expect(shorter.length).toBeLessThanOrEqual(digits.length)
      digits = digits.slice(0, -1)
    }
  })

  it('drops the country code of a pasted number and never keeps more than 11 digits', () => {
    expect(phoneDigits('+55 (11) 98877-6655')).toBe('11988776655')
    expect(phoneDigits('1198877665599')).toBe('11988776655')
  })

  it('takes 10 or 11 digits as a number and nothing else', () => {
    expect(['119887766', '1138776655', '11988776655'].map(isPhoneComplete)).toEqual([false, true, true])
  })
})
