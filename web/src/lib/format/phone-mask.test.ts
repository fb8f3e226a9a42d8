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

  it('ignores every digit beyond the eleventh, in area code 55 too', () => {
    expect(phoneDigits(`${maskPhone('55991234567')}8`)).toBe('55991234567')
    expect(phoneDigits(`${maskPhone('55322212345')}6`)).toBe('55322212345')
  })

  it('drops the country code of a number of area code 55, pasted or typed digit by digit', () => {
    expect(phoneDigits('+55 55 99123-4567')).toBe('55991234567')
    const typed = [...'5511988776655'].reduce((digits, digit) => phoneDigits(maskPhone(digits) + digit), '')
    expect(typed).toBe('11988776655')
  })

  it('takes 10 or 11 digits as a number and nothing else', () => {
    expect(['119887766', '1138776655', '11988776655'].map(isPhoneComplete)).toEqual([false, true, true])
  })
})
